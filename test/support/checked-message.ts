import { createHmac } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { DocumentChecker } from './document-checker.js';

/** A webhook message as a receiver gets it. */
export interface Message {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes of the body as received. */
  readonly body: Buffer;
}

/** Options of the message check. */
export interface MessageCheckOptions {
  /** The choices in the profile of the account that sends the message. */
  readonly choices: Choices;
  /** The signing secret. */
  readonly secret: string;
}

type Parameter = OpenAPIV3_1.ParameterObject | OpenAPIV3_1.ReferenceObject;

const ajv = new Ajv2020({ strict: true });
const checkers = new Map<string, DocumentChecker>();

/**
 * Lists how a message deviates from the `webhooks` of the document for these choices, and from its expected signature.
 */
export function messageDeviations({ headers, body }: Message, { choices, secret }: MessageCheckOptions): string[] {
  const profile = resolveProfile(choices);
  const key = JSON.stringify(choices);
  const checker = checkers.get(key) ?? new DocumentChecker(servedDocument(profile));
  checkers.set(key, checker);

  const event = String(headers['x-service-event']);
  const item = checker.document.webhooks?.[event];
  const operation = item && !('$ref' in item) ? item.post : undefined;
  if (!operation) return [`header X-Service-Event: ${event} is not an event of the document`];
  const text = body.toString('utf8');
  if (!Buffer.from(text).equals(body)) return ['body: is not UTF-8'];
  const digest = createHmac('sha256', secret).update(body).digest();
  const encodedDigests = {
    hex: digest.toString('hex'),
    base64: digest.toString('base64'),
    'hex-upper': digest.toString('hex').toUpperCase(),
  };
  const signature = `sha256=${encodedDigests[profile['event.digest']]}`;
  return [
    ...(operation.parameters ?? []).flatMap((parameter) => {
      const { name: header, schema } = resolveParameter(checker.document, parameter);
      const value = headers[header.toLowerCase()];
      const isSignature = '$ref' in parameter && parameter.$ref.endsWith('Signature');
      if (isSignature && value === undefined) return [`header ${header}: is missing`];
      if (isSignature && value !== signature) return [`header ${header}: is ${value}, but should be ${signature}`];
      const validate = ajv.compile(schema ?? false);
      return validate(value) ? [] : [`header ${header}: ${ajv.errorsText(validate.errors)}`];
    }),
    ...bodyDeviations(checker, event, operation.requestBody, { headers, text }),
  ];
}

function resolveParameter(document: OpenAPIV3_1.Document, parameter: Parameter): OpenAPIV3_1.ParameterObject {
  if (!('$ref' in parameter)) return parameter;
  const target = document.components?.parameters?.[parameter.$ref.slice('#/components/parameters/'.length)];
  if (!target || '$ref' in target) throw new Error(`the document has nothing at ${parameter.$ref}`);
  return target;
}

function bodyDeviations(
  checker: DocumentChecker,
  event: string,
  requestBody: OpenAPIV3_1.OperationObject['requestBody'],
  { headers, text }: { headers: Message['headers']; text: string },
): string[] {
  if (!requestBody || !('$ref' in requestBody))
    throw new Error(`the document does not define the body of ${event} by a reference`);
  const bodyName = requestBody.$ref.slice('#/components/requestBodies/'.length);
  const target = checker.document.components?.requestBodies?.[bodyName];
  if (!target || '$ref' in target) throw new Error(`the document has nothing at ${requestBody.$ref}`);
  // The checker only knows responses, so it gets the message as one.
  const exchange = {
    method: 'POST',
    path: '',
    status: 200,
    headers: new Headers({ 'Content-Type': String(headers['content-type']) }),
    text,
  };
  const response = { description: '', content: target.content };
  const deviations = checker.bodyDeviations(exchange, response);
  if (deviations.length > 0) return deviations;
  const eventInBody: unknown = JSON.parse(text).event;
  return eventInBody === undefined || eventInBody === event
    ? []
    : [`body/event: is ${eventInBody}, but the header says ${event}`];
}
