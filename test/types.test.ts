import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor, type VisitorObject } from 'rolldown/utils';
import { expect, test } from 'vitest';

/**
 * The compiler does not check values of type `any`. Instead of the functions that commonly return such values, the code
 * in `src` uses counterparts that return `unknown`, which must be checked before it is used.
 */

const src = fileURLToPath(new URL('../src/', import.meta.url));

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/'))
  .map((name) => {
    const text = readFileSync(join(src, name), 'utf8');
    return { name, text, program: parseSync(name, text).program };
  });

/** Position of a syntax node in the text of its file. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Lists nodes with their positions: `store/journal.ts:12 JSON.parse(text)`.
 * @param visitorOf returns a visitor that reports the nodes to list; `textOf` returns the text of a node
 */
function findNodes(
  visitorOf: (report: (node: Span) => void, textOf: (node: Span) => string) => VisitorObject,
): string[] {
  return files.flatMap(({ name, text, program }) => {
    const found: string[] = [];
    const textOf = ({ start, end }: Span): string => text.slice(start, end);
    const report = (node: Span): void => {
      found.push(`${name}:${text.slice(0, node.start).split('\n').length} ${textOf(node)}`);
    };
    new Visitor(visitorOf(report, textOf)).visit(program);
    return found;
  });
}

/** Lists the calls of a function, given as it is called: `JSON.parse`. */
function findCalls(callee: string): string[] {
  return findNodes((report, textOf) => ({
    CallExpression(node) {
      if (textOf(node.callee).replaceAll(/\s|\?/g, '') === callee) report(node);
    },
  }));
}

test('JSON is only parsed by parseJson, which returns unknown', () => {
  expect(findCalls('JSON.parse')).toEqual([expect.stringContaining('lib/json.ts:')]);
});

test('Reflect.get is not used; memberOf, which returns unknown, replaces it', () => {
  const uses = findNodes((report, textOf) => ({
    MemberExpression(node) {
      if (textOf(node) === 'Reflect.get') report(node);
    },
  }));
  expect(uses).toEqual([]);
});

test('Object(value), which returns any, is not used', () => {
  expect(findCalls('Object')).toEqual([]);
});

test('errors are recognized by isError, since `instanceof Error` is false for those of another context', () => {
  const checks = findNodes((report, textOf) => ({
    BinaryExpression(node) {
      if (node.operator === 'instanceof' && textOf(node.right) === 'Error') report(node);
    },
  }));
  expect(checks).toEqual([expect.stringContaining('lib/errors.ts:')]);
});

test('types are not asserted with `as` or `!`', () => {
  const assertions = findNodes((report, textOf) => ({
    TSNonNullExpression: report,
    TSTypeAssertion: report,
    TSAsExpression(node) {
      if (textOf(node.typeAnnotation) !== 'const') report(node);
    },
  }));
  expect(assertions).toEqual([]);
});

test('URLs are parsed by parseUrl, since URL.canParse of Node 20 rejects valid ones', () => {
  expect(findCalls('URL.canParse')).toEqual([]);
});

test('the type any is not used', () => {
  expect(findNodes((report) => ({ TSAnyKeyword: report }))).toEqual([]);
});
