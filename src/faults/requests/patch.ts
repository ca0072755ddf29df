import { applyPatch, type Operation, type TestOperation } from 'rfc6902';
import { errorMessage } from '../../lib/errors.js';
import { memberOf, parseJson } from '../../lib/json.js';
import { pointerParts } from '../../lib/json-pointer.js';
import { pointer } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly patch: readonly Operation[];
}

const operationSchema = {
  type: 'object',
  allOf: [
    // This comes first, so that a misspelled key is reported before the key that is missing.
    {
      additionalProperties: false,
      required: ['op', 'path'],
      properties: {
        op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
        path: pointer,
        from: pointer,
        value: {},
      },
    },
    requireKey('value', ['add', 'replace', 'test']),
    requireKey('from', ['move', 'copy']),
  ],
};

/** Simulates API drift: a field is renamed, removed or added, or its type changes. */
export const patch = defineRequestEffect<Options>(
  {
    name: 'patch',
    summary: 'applies a JSON Patch (RFC 6902) to the body; responses to which it cannot be applied are left unchanged',
    example: 'patch=[{"op":"remove","path":"/data/currency"}]',
    valueOption: 'patch',
    options: {
      patch: { type: 'array', minItems: 1, maxItems: 100, items: operationSchema, description: 'the operations' },
    },
    required: ['patch'],
    needs: 'response-sent',
  },
  (reply, options) => {
    let step = 'reading the body';
    try {
      let document = parseJson(reply.body);
      for (const operation of options.patch) {
        step = `\`${operation.op} ${operation.path || '""'}\``;
        document = applyOperation(document, operation);
      }
      const body: string | undefined = JSON.stringify(document);
      if (body === undefined) throw new Error('nothing is left of the body');
      return { ...reply, body };
    } catch (error) {
      const reason = errorMessage(error);
      return {
        ...reply,
        hint: `the patch could not be applied, so the response is unchanged: ${step} failed: ${reason}`,
      };
    }
  },
);

/** Maximum length of a body after a copy: ten times the length of a page of 100 invoices. */
const maxBodyCharacters = 1_000_000;

/**
 * Applies one operation to a document, which it may mutate.
 * @returns the resulting document; undefined if it was removed
 * @throws Error if the operation cannot be applied
 */
function applyOperation(document: unknown, operation: Operation): unknown {
  if (operation.path === '' && operation.op !== 'test') return replaceDocument(document, operation);
  for (const step of stepsOf(document, operation)) {
    requirePlace(document, step);
    const [failure] = applyPatch(document, [step]);
    if (failure) throw failure;
  }
  // Each copy can double the size.
  if (operation.op === 'copy' && JSON.stringify(document).length > maxBodyCharacters)
    throw new Error('the result would be too large');
  return document;
}

/** Applies an operation to the whole document, which the library cannot replace. Otherwise like `applyOperation`. */
function replaceDocument(document: unknown, operation: Exclude<Operation, TestOperation>): unknown {
  if (operation.op === 'remove') return undefined;
  if (operation.op === 'add' || operation.op === 'replace') return structuredClone(operation.value);
  return requireValue(document, operation.from);
}

type Step = Exclude<Operation, { readonly op: 'move' | 'copy' }>;

/**
 * Replaces `copy` by `add`, and `move` by `remove` and `add`, as RFC 6902 defines them. In these two operations, the
 * library accepts any text as an index.
 * @throws Error if the value to move or copy does not exist
 */
function stepsOf(document: unknown, operation: Operation): readonly Step[] {
  if (operation.op !== 'move' && operation.op !== 'copy') return [operation];
  const { op, from, path } = operation;
  const add: Step = { op: 'add', path, value: requireValue(document, from) };
  return op === 'copy' ? [add] : [{ op: 'remove', path: from }, add];
}

/**
 * Checks that the place that a step reads or changes exists in the document. The library would also find inherited
 * properties, such as `toString`, and change them for the whole process.
 * @throws Error if it does not exist
 */
function requirePlace(document: unknown, { op, path }: Step): void {
  // For the other operations, the place itself need not exist.
  const isValueNeeded = op === 'remove' || op === 'replace';
  requireValue(document, path, isValueNeeded ? pointerParts(path) : pointerParts(path).slice(0, -1));
}

/**
 * Returns the value at a JSON Pointer.
 * @param parts the parts of the pointer that must exist; by default all
 * @throws Error if there is none
 */
function requireValue(document: unknown, path: string, parts = pointerParts(path)): unknown {
  const value = parts.reduce(memberOf, document);
  if (value === undefined) throw new Error(`Value required at path: ${path}`);
  return value;
}

/** Schema that requires a key for some operations. In strict mode, Ajv wants each required key in `properties`. */
function requireKey(key: string, operations: readonly string[]) {
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
  return { if: { properties: { op: { enum: operations } } }, then: { required: [key], properties: { [key]: {} } } };
}
