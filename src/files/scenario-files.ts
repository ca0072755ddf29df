import { createReadStream } from 'node:fs';
import { buffer as bytesOf } from 'node:stream/consumers';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { CST, Document } from 'yaml';
import type { FaultContext, FaultRule } from '../domain/faults.js';
import type { Scenario, ScenarioStep } from '../domain/scenario.js';
import { FaultError } from '../faults/fault-error.js';
import { readFault } from '../faults/rule.js';
import { durationHint, invalidDurationHint, maxDurationMs, parseDuration } from '../lib/durations.js';
import { decodeText } from '../lib/json.js';
import { lazy } from '../lib/lazy.js';
import { quote, shortenToLine } from '../lib/messages.js';
import { readSchema } from '../lib/read-schema.js';
import { firstSchemaError, kindOf } from '../lib/schema-errors.js';
import { strictAjv } from '../lib/strict-ajv.js';
import { InputError } from '../lib/user-error.js';
import { FileError, jsonValuesOnly, unreadableFileError } from './data-file.js';

/** Path within a scenario: `['steps', '1', 'do']`; empty for the scenario itself. */
type Path = readonly string[];

/** Thrown for a value that is not a valid scenario. The message says where and why, in one line. */
export class ScenarioError extends InputError {
  override readonly name = 'ScenarioError';
}

/** A scenario as written by users, after schema validation. */
export type ScenarioSource = Omit<Scenario, 'steps'> & {
  readonly steps: readonly (Pick<ScenarioStep, 'do'> & {
    readonly after?: string | 0;
    readonly with?: ScenarioStep['with'];
  })[];
};

/** Maximum size of a scenario file. */
const maxFileBytes = 100_000;

/**
 * Maximum nesting depth; a scenario needs six. The parser is recursive, and a stack overflow there could end the
 * process.
 */
const maxDepth = 20;

const validator = lazy(() =>
  strictAjv().compile<ScenarioSource>(readSchema('fixtures/scenarios/scenario.schema.json')),
);

/** Reads scenarios from YAML or JSON files. @throws FileError, for example if two of them have the same name */
export async function readScenarios(paths: readonly string[]): Promise<Scenario[]> {
  const scenarios = new Map<string, { readonly scenario: Scenario; readonly path: string }>();
  for (const path of paths) {
    const scenario = await readScenario(path);
    const other = scenarios.get(scenario.name);
    if (other) throw new FileError(`${path}: the scenario ${quote(scenario.name)} is already defined in ${other.path}`);
    scenarios.set(scenario.name, { scenario, path });
  }
  return [...scenarios.values()].map(({ scenario }) => scenario);
}

/** Reads a scenario from a YAML or JSON file. @throws FileError */
export async function readScenario(path: string): Promise<Scenario> {
  return parseScenario(await readText(path), path);
}

/** Reads a scenario like `readScenario`, but returns it as it is written in the file. @throws FileError */
export async function readScenarioSource(path: string): Promise<ScenarioSource> {
  const { written } = await parseFile(await readText(path), path);
  return written;
}

async function readText(path: string): Promise<string> {
  try {
    // Reads a little more than allowed, which shows that a file is too large even if it begins with a byte order mark of
    // 3 bytes. The end of such a file may be cut off within a character.
    const bytes = await bytesOf(createReadStream(path, { end: maxFileBytes + 3 }));
    return bytes.length > maxFileBytes + 3 ? bytes.toString() : decodeText(bytes);
  } catch (error) {
    throw unreadableFileError(path, error);
  }
}

/**
 * Parses a scenario from YAML, which includes JSON.
 * @param path name in messages: `./x.yaml:7: step 2: unknown verb …`
 * @param faultContext what is known about the account that the faults are for (see `readFault`)
 * @throws FileError
 */
export async function parseScenario(text: string, path: string, faultContext?: FaultContext): Promise<Scenario> {
  const { compiled } = await parseFile(text, path, faultContext);
  return compiled;
}

async function parseFile(
  text: string,
  path: string,
  faultContext?: FaultContext,
): Promise<{ readonly written: ScenarioSource; readonly compiled: Scenario }> {
  const errorAt = (line: number, reason: string): FileError => new FileError(`${path}:${line}: ${reason}`);
  if (Buffer.byteLength(text) > maxFileBytes) throw errorAt(1, 'the file is larger than 100 kB');
  const yaml = await import('yaml');
  const { lineAt } = await import('./yaml-lines.js');
  if (isTooDeep(new yaml.Parser().parse(text)))
    throw errorAt(1, `the file is nested more than ${maxDepth} levels deep`);

  const lines = new yaml.LineCounter();
  const document: Document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    ...jsonValuesOnly,
    // Checked below in linear time, because the parser's own check takes quadratic time.
    uniqueKeys: false,
  });
  const lineOf = (offset = 0): number => lines.linePos(offset).line;
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) {
    const hasSeveralScenarios = problem.code === 'MULTIPLE_DOCS';
    throw errorAt(
      lineOf(problem.pos[0]),
      hasSeveralScenarios
        ? 'the file has more than one scenario; put each into a separate file'
        : `cannot parse the file: ${shortenToLine(problem.message, 200)}`,
    );
  }
  yaml.visit(document, {
    Map(_key, { items }) {
      const keys = new Set<string>();
      for (const { key } of items) {
        if (!yaml.isScalar(key)) continue;
        const name = String(key.value);
        if (keys.has(name)) throw errorAt(lineOf(key.range?.[0]), `duplicate key ${quote(name)}`);
        keys.add(name);
      }
    },
    // Nested aliases could expand beyond available memory.
    Alias(_key, { source, range }) {
      throw errorAt(lineOf(range?.[0]), `aliases are not supported; write out the value of ${quote(`*${source}`)}`);
    },
  });
  if (document.contents === null) throw errorAt(1, 'the file is empty');
  try {
    const written = validateScenario(document.toJS());
    return { written, compiled: compile(written, faultContext) };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw errorAt(lineAt(document, lines, error.path), error.message);
  }
}

/**
 * Compiles a scenario from JSON in the format of a file.
 * @param faultContext what is known about the account that the faults are for (see `readFault`)
 * @throws ScenarioError
 */
export function compileScenario(value: unknown, faultContext?: FaultContext): Scenario {
  return compile(validateScenario(value), faultContext);
}

/** Checks the format of a scenario. @throws ScenarioError */
function validateScenario(value: unknown): ScenarioSource {
  const isScenarioSource = validator();
  if (!isScenarioSource(value)) throw scenarioError(isScenarioSource.errors ?? []);
  return value;
}

function compile(written: ScenarioSource, faultContext: FaultContext | undefined): Scenario {
  const { steps, ...rest } = structuredClone(written);
  let totalMs = 0;
  const timedSteps = steps.map((step, index) => {
    const after = delayMs(step.after ?? 0);
    const path = ['steps', String(index), 'after'];
    if (after === undefined) throw new ScenarioError(path, `${prefixOf(path)}${notADuration(step.after)}`);
    totalMs += after;
    if (totalMs > maxDurationMs)
      throw new ScenarioError(path, `${prefixOf(path)}the steps take more than 1,000 years in all`);
    return { after, do: step.do, with: step.with ?? {} };
  });
  const scenario = withFaults({ ...rest, steps: timedSteps }, faultContext);
  const restartIndex = indexOfRestart(scenario);
  if (restartIndex === undefined) return scenario;
  throw new ScenarioError(
    ['steps', String(restartIndex)],
    `step ${restartIndex + 1} (pay) causes payment.succeeded, which starts this scenario again: it would never end`,
  );
}

/**
 * Index of the first step that would start the scenario again. Only payment.succeeded can recur: a deposit never
 * returns to an earlier status, and no step creates a deposit, an invoice or a payment link. Checking each scenario
 * alone is enough: in a cycle of several, each is triggered by payment.succeeded and has a step `pay` for the same record, so
 * each of them alone fails this check.
 */
function indexOfRestart({ trigger, steps }: Scenario): number | undefined {
  if (trigger?.event !== 'payment.succeeded') return undefined;
  const index = steps.findIndex((step) => step.do === 'pay' && (step.with['outcome'] ?? 'paid') === 'paid');
  return index < 0 ? undefined : index;
}

/** Parses the faults in the steps of a scenario. @throws ScenarioError */
function withFaults(scenario: Scenario, faultContext: FaultContext | undefined): Scenario {
  const steps = scenario.steps.map((step, index) =>
    step.do === 'fault' ? { ...step, fault: faultOf(step.with, ['steps', String(index), 'with'], faultContext) } : step,
  );
  return { ...scenario, steps };
}

function faultOf(value: unknown, path: Path, faultContext: FaultContext | undefined): FaultRule {
  try {
    return readFault(value, faultContext);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    throw new ScenarioError([...path, ...error.path], prefixOf(path) + error.message);
  }
}

function delayMs(after: string | 0): number | undefined {
  return after === 0 || after === '0' ? 0 : parseDuration(after);
}

/** Describes the first validation error. */
function scenarioError(errors: readonly ErrorObject[]): ScenarioError {
  const { path, shownPath, reason, error } = firstSchemaError(errors, keyNames, durationHint);
  const isDuration = path.length === 3 && path[0] === 'steps' && path[2] === 'after';
  return new ScenarioError(path, prefixOf(shownPath) + (isDuration ? notADuration(error.data) : reason));
}

/** Names in messages for keys that are unclear by themselves. */
const keyNames: Readonly<Record<string, string>> = { do: 'verb', for: 'subject' };

function notADuration(value: unknown): string {
  const shown = typeof value === 'string' ? quote(value) : kindOf(value);
  return `${shown} is not a duration of up to 1,000 years (for example 2m, 2h 30m, 8d or P8D)${invalidDurationHint(value)}`;
}

/** `step 2: with.amount: `, counted from 1; empty for the whole scenario. */
function prefixOf(path: Path): string {
  const [first, index] = path;
  const inStep = first === 'steps' && index !== undefined;
  const keys = shortenToLine((inStep ? path.slice(2) : path).join('.'));
  return `${inStep ? `step ${Number(index) + 1}: ` : ''}${keys === '' ? '' : `${keys}: `}`;
}

function isTooDeep(tokens: Iterable<CST.Token>): boolean {
  let level = [...tokens];
  // The first level consists of documents, which do not count.
  for (let depth = -1; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((token) => {
      if (token.type === 'document') return token.value ?? [];
      if (!('items' in token)) return [];
      return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat());
    });
  }
  return false;
}
