import { isObject } from '../../lib/json.js';

/** Functions that a test runner offers to a running test. */
export interface TestContext {
  /** Marks the test as skipped. In some runners this method throws, in others the test continues. */
  skip(reason: string): unknown;
  /** Adds a note to the report of a test that passes. */
  note(text: string): unknown;
}

/** Finds the context among the arguments that a runner passes to a test. */
export function testContextOf(parameters: readonly unknown[]): TestContext {
  const [first, second] = parameters;
  // Playwright passes its fixtures first, and its test info second. The other runners pass their context first.
  if (isPlaywright(second)) return playwrightContext(second);
  const skip = methodOf(first, 'skip');
  if (!skip) return noContext;
  // `annotate` is the method of vitest, `diagnostic` that of node:test.
  return { skip, note: methodOf(first, 'annotate') ?? methodOf(first, 'diagnostic') ?? noContext.note };
}

/** Context for Jest, where a test cannot skip itself once it has begun. */
const noContext: TestContext = {
  skip: (reason) => console.warn(`not checked: ${reason}`),
  note: (text) => console.warn(text),
};

interface PlaywrightTestInfo {
  readonly annotations: unknown[];
}

function isPlaywright(value: unknown): value is PlaywrightTestInfo {
  return typeof value === 'object' && value !== null && 'annotations' in value && Array.isArray(value.annotations);
}

function playwrightContext(testInfo: PlaywrightTestInfo): TestContext {
  const skip = methodOf(testInfo, 'skip');
  return {
    skip: (reason) => skip?.(true, reason),
    note: (description) => testInfo.annotations.push({ type: 'contract', description }),
  };
}

function methodOf(value: unknown, name: string): ((...values: unknown[]) => unknown) | undefined {
  const method = isObject(value) ? value[name] : undefined;
  return typeof method === 'function' ? (...values) => Reflect.apply(method, value, values) : undefined;
}
