import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * The compiler does not check values of type `any`. Instead of the functions that commonly return such values, the code
 * in `src` uses counterparts that return `unknown`, which must be checked before it is used.
 */

const src = fileURLToPath(new URL('../src/', import.meta.url));

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/'))
  .map((name) => ts.createSourceFile(name, readFileSync(join(src, name), 'utf8'), ts.ScriptTarget.Latest, true));

/** Lists the nodes that match, with their positions: `store/journal.ts:12 JSON.parse(text)`. */
function findNodes(matches: (node: ts.Node) => boolean): string[] {
  const matchingNodes: string[] = [];
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      if (matches(node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        matchingNodes.push(`${file.fileName}:${line + 1} ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return matchingNodes;
}

function isCallOf(node: ts.Node, callee: string): boolean {
  return ts.isCallExpression(node) && node.expression.getText().replaceAll(/\s|\?/g, '') === callee;
}

test('JSON is only parsed by parseJson, which returns unknown', () => {
  expect(findNodes((node) => isCallOf(node, 'JSON.parse'))).toEqual([expect.stringContaining('lib/json.ts:')]);
});

test('Reflect.get is not used; memberOf, which returns unknown, replaces it', () => {
  expect(findNodes((node) => ts.isPropertyAccessExpression(node) && node.getText() === 'Reflect.get')).toEqual([]);
});

test('Object(value), which returns any, is not used', () => {
  expect(findNodes((node) => isCallOf(node, 'Object'))).toEqual([]);
});

test('types are not asserted with `as` or `!`', () => {
  const isAssertion = (node: ts.Node): boolean =>
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    (ts.isAsExpression(node) && node.type.getText() !== 'const');
  expect(findNodes(isAssertion)).toEqual([]);
});

test('URLs are parsed by parseUrl, since URL.canParse of Node 20 rejects valid ones', () => {
  expect(findNodes((node) => isCallOf(node, 'URL.canParse'))).toEqual([]);
});

test('the type any is not used', () => {
  expect(findNodes((node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([]);
});
