import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { billingDocument } from '../../src/generated/billing-document.js';
import type { Answer } from './client.js';
import { isRecord, memberOf, type Operation } from './document.js';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);
ajv.addVocabulary(['x-gap', 'example', 'components', 'x-decimal-places', 'x-minor-units']);
ajv.addKeyword({
  keyword: 'x-not-before',
  validate: (sibling: string, value: unknown, _schema?: unknown, at?: { parentData: unknown }) => {
    const other = memberOf(at?.parentData, sibling);
    return typeof value !== 'string' || typeof other !== 'string' || value >= other;
  },
});
ajv.addSchema({ $id: 'document', components: billingDocument.components });

const compiled = new Map<string, ValidateFunction>();

/** Lists how the status, headers and body of a response deviate from the document. */
export function problemsOf(operation: Operation, answer: Answer): string[] {
  const definition = memberOf(
    billingDocument.paths,
    operation.path,
    operation.method,
    'responses',
    String(answer.status),
  );
  const reference = memberOf(definition, '$ref');
  if (typeof reference !== 'string') return [`the document has no answer ${answer.status} for ${operation.id}`];
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const problems: string[] = [];

  const [type] = String(answer.headers['content-type']).split(';');
  if (type !== 'application/json') problems.push(`the Content-Type is ${type}`);
  const headers = memberOf(billingDocument.components, 'responses', name, 'headers');
  for (const header of Object.keys(isRecord(headers) ? headers : {})) {
    const value = answer.headers[header.toLowerCase()];
    const required = memberOf(billingDocument.components, 'headers', header, 'required') === true;
    const form = header === 'WWW-Authenticate' ? /^Bearer realm="billing"(?:, \w+="[\w.]+")*$/ : /^\d+$/;
    if (value === undefined ? required : !form.test(String(value))) problems.push(`${header} is ${value}`);
  }
  const valid = validatorOf(`#/components/responses/${name}/content/application~1json/schema`);
  if (!valid(answer.body)) problems.push(...(valid.errors ?? []).map((error) => ajv.errorsText([error])));
  return problems;
}

function validatorOf(pointer: string): ValidateFunction {
  const validator = compiled.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
  compiled.set(pointer, validator);
  return validator;
}
