import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { billingDocument } from '../../src/generated/billing-document.js';
import { isRecord } from '../../src/lib/json.js';
import type { ServiceResponse } from './client.js';
import { memberOf, type Operation } from './document.js';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);
// Strict mode rejects unknown keywords. These do not restrict responses; `components` is the only key of the schema
// that is added below so that references can be resolved.
ajv.addVocabulary(['x-gap', 'example', 'components', 'x-decimal-places', 'x-minor-units']);
ajv.addKeyword({
  keyword: 'x-not-before',
  validate: (sibling: string, value: unknown, _schema?: unknown, context?: { parentData: unknown }) => {
    const earliest = memberOf(context?.parentData, sibling);
    return typeof value !== 'string' || typeof earliest !== 'string' || value >= earliest;
  },
});
ajv.addSchema({ $id: 'document', components: billingDocument.components });

const validators = new Map<string, ValidateFunction>();

/** Lists how the status, headers and body of a response deviate from the document. */
export function responseProblems(
  { id, path, method }: Operation,
  { status, headers, body }: ServiceResponse,
): string[] {
  const reference = memberOf(billingDocument.paths, path, method, 'responses', String(status), '$ref');
  if (typeof reference !== 'string') return [`the document has no response ${status} for ${id}`];
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const problems: string[] = [];

  const [mediaType] = String(headers['content-type']).split(';');
  if (mediaType !== 'application/json') problems.push(`the Content-Type is ${mediaType}`);
  const documentedHeaders = memberOf(billingDocument.components, 'responses', name, 'headers');
  for (const header of Object.keys(isRecord(documentedHeaders) ? documentedHeaders : {})) {
    const value = headers[header.toLowerCase()];
    const isRequired = memberOf(billingDocument.components, 'headers', header, 'required') === true;
    // All other documented headers are numbers.
    const pattern = header === 'WWW-Authenticate' ? /^Bearer realm="billing"(?:, \w+="[\w.]+")*$/ : /^\d+$/;
    if (value === undefined) {
      if (isRequired) problems.push(`${header} is missing`);
    } else if (!pattern.test(String(value))) problems.push(`${header} is ${value}`);
  }
  const validate = validatorOf(`#/components/responses/${name}/content/application~1json/schema`);
  if (!validate(body)) problems.push(...(validate.errors ?? []).map((error) => ajv.errorsText([error])));
  return problems;
}

function validatorOf(pointer: string): ValidateFunction {
  const validator = validators.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
  validators.set(pointer, validator);
  return validator;
}
