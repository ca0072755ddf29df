import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * The compiler does not check values of type `any`, and so do readers. These are the ways in which such
 * values happen in `src`; each has a counterpart that returns `unknown`, which has to be checked before it is used.
 */
const src = fileURLToPath(new URL('../src/', import.meta.url));

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/'))
  .map((name) => ts.createSourceFile(name, readFileSync(join(src, name), 'utf8'), ts.ScriptTarget.Latest, true));

/** The places of nodes: `store/journal.ts:12 JSON.parse(text)`. */
function placesOf(isMeant: (node: ts.Node) => boolean): string[] {
  const found: string[] = [];
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      if (isMeant(node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${file.fileName}:${line + 1} ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

function isCallOf(node: ts.Node, callee: string): boolean {
  return ts.isCallExpression(node) && node.expression.getText().replaceAll(/\s|\?/g, '') === callee;
}

test('JSON is only parsed by parseJson, which returns unknown', () => {
  const [own, ...others] = placesOf((node) => isCallOf(node, 'JSON.parse'));
  expect(own).toContain('lib/parse-json.ts');
  expect(others).toEqual([]);
});

test('properties are read by memberOf, and not by Reflect.get', () => {
  expect(placesOf((node) => ts.isPropertyAccessExpression(node) && node.getText() === 'Reflect.get')).toEqual([]);
});

test('no value is turned into an object of type any', () => {
  expect(placesOf((node) => isCallOf(node, 'Object'))).toEqual([]);
});

test('types are not asserted, with `as` or `!`', () => {
  const isAssertion = (node: ts.Node): boolean =>
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    (ts.isAsExpression(node) && node.type.getText() !== 'const');
  expect(placesOf(isAssertion)).toEqual([]);
});

test('the type any is not used', () => {
  expect(placesOf((node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([]);
});
