import type { Option } from 'commander';
import { createFullProgram } from '../../src/commands/program.js';
import { isRepeatable } from '../../src/commands/support/arguments.js';
import { configurableOptions, sectionsOf } from '../../src/commands/support/configuration.js';

type Schema = Readonly<Record<string, unknown>>;

/** Returns true if an option accepts several of its choices in one string, separated by commas. */
function acceptsCommaSeparatedList({ parseArg }: Option, [choice = '']: readonly string[]): boolean {
  try {
    parseArg?.(`${choice},${choice}`, undefined);
    return true;
  } catch {
    return false;
  }
}

function choicesSchema(option: Option, choices: readonly string[]): Schema {
  const oneChoice = { enum: choices };
  if (!acceptsCommaSeparatedList(option, choices)) return oneChoice;
  const choice = `\\s*(?:${choices.map((name) => name.replaceAll('.', '\\.')).join('|')})\\s*`;
  // Editors suggest the choices of the enum; they cannot derive them from the pattern.
  return { anyOf: [oneChoice, { type: 'string', pattern: `^${choice}(?:,${choice})*$` }] };
}

function schemaOf(option: Option): Schema {
  const { description, argChoices, variadic } = option;
  if (option.isBoolean()) return { description, type: 'boolean' };
  const valueSchema = argChoices ? choicesSchema(option, argChoices) : { type: ['string', 'number'] };
  return variadic || isRepeatable(option)
    ? { description, anyOf: [valueSchema, { type: 'array', items: valueSchema }] }
    : { description, ...valueSchema };
}

const objectSchema = (properties: Schema, description?: string): Schema => ({
  ...(description === undefined ? {} : { description }),
  type: 'object',
  properties,
  additionalProperties: false,
});

/** Returns the content of `openapi/config.schema.json`, generated from the options of the commands. */
export async function configSchema(): Promise<Schema> {
  const { shared, sections } = sectionsOf(await createFullProgram());
  const commandSchemas = [...sections].map(([name, command]) => [
    name,
    objectSchema(
      Object.fromEntries(configurableOptions(command).map((option) => [option.name(), schemaOf(option)])),
      `Options of \`billing-sim ${name}\`: ${command.summary()}.`,
    ),
  ]);

  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of billing-sim',
    ...objectSchema({
      $schema: { type: 'string' },
      ...Object.fromEntries([...shared].map(([name, option]) => [name, schemaOf(option)])),
      ...Object.fromEntries(commandSchemas),
    }),
  };
}
