// Generates openapi/config.schema.json, or the file given as an argument, from the commands themselves. Run by `npm run docs`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../support/load-source.mjs';

const { createFullProgram } = await loadSource('commands/program.ts');
const { configurableOptions, sectionsOf } = await loadSource('commands/support/configuration.ts');
const { isRepeatable } = await loadSource('commands/support/arguments.ts');

const [, , file = fileURLToPath(new URL('../../openapi/config.schema.json', import.meta.url))] = process.argv;

function schemaOf(option) {
  const { description, argChoices, variadic } = option;
  if (option.isBoolean()) return { description, type: 'boolean' };
  const valueSchema = argChoices ? { enum: argChoices } : { type: ['string', 'number'] };
  return variadic || isRepeatable(option)
    ? { description, anyOf: [valueSchema, { type: 'array', items: valueSchema }] }
    : { description, ...valueSchema };
}

const objectSchema = (properties, description) => ({
  ...(description === undefined ? {} : { description }),
  type: 'object',
  properties,
  additionalProperties: false,
});

const { shared, sections } = sectionsOf(await createFullProgram());
const commandSchemas = [...sections].map(([name, command]) => [
  name,
  objectSchema(
    Object.fromEntries(configurableOptions(command).map((option) => [option.name(), schemaOf(option)])),
    `Options of \`billing-sim ${name}\`: ${command.summary()}.`,
  ),
]);

writeFileSync(
  file,
  `${JSON.stringify(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Configuration of billing-sim',
      ...objectSchema({
        $schema: { type: 'string' },
        ...Object.fromEntries([...shared].map(([name, option]) => [name, schemaOf(option)])),
        ...Object.fromEntries(commandSchemas),
      }),
    },
    null,
    2,
  )}\n`,
);
