import { applyPatch, type Operation } from 'rfc6902';
import { errorMessage } from '../../lib/error-message.js';
import { parseJson } from '../../lib/json.js';
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
    summary: 'applies a JSON Patch (RFC 6902) to the body; a response to which it cannot be applied is left unchanged',
    example: 'patch=[{"op":"remove","path":"/data/currency"}]',
    valueOption: 'patch',
    options: {
      patch: { type: 'array', minItems: 1, maxItems: 100, items: operationSchema, description: 'the operations' },
    },
    required: ['patch'],
    needs: 'response',
  },
  (reply, options) => {
    let step = 'read the body';
    try {
      const document = parseJson(reply.body);
      for (const operation of options.patch) {
        step = `${operation.op} ${operation.path}`;
        applyOperation(document, operation);
      }
      return { ...reply, body: JSON.stringify(document) };
    } catch (error) {
      const reason = errorMessage(error);
      return { ...reply, hint: `the patch does not fit this response, which is unchanged: ${step}: ${reason}` };
    }
  },
);

/** Maximum length of a body after a copy: ten times the length of a page of 100 invoices. */
const maxBodyCharacters = 1_000_000;

/** Applies one operation to a document, which it changes. @throws Error if that is not possible */
function applyOperation(document: unknown, operation: Operation): void {
  const [failure] = applyPatch(document, [operation]);
  if (failure) throw failure;
  // Each copy can double the size.
  if (operation.op === 'copy' && JSON.stringify(document).length > maxBodyCharacters)
    throw new Error('the result would be too large');
}

/** Schema that requires a key for some operations. */
function requireKey(key: string, operations: readonly string[]) {
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
  return { if: { properties: { op: { enum: operations } } }, then: { required: [key], properties: { [key]: {} } } };
}
