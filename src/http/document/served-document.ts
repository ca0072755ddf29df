import type { OpenAPIV3_1 } from 'openapi-types';
import { countRequest } from '../../domain/rate-window.js';
import { billingDocument } from '../../generated/billing-document.js';
import { memberOf } from '../../lib/json.js';
import type { Api } from '../../openapi/document.js';
import { defaultProfile, type Profile } from '../../openapi/profile.js';
import { omittedNullRef } from '../../openapi/request-schemas.js';
import { rateHeaders } from '../service/response.js';
import { describeChoices } from './describe-choices.js';
import { type ErrorResponses, errorResponsesOf } from './error-responses.js';
import { type ExampleSet, examplesOf } from './example-session.js';

/** Returns the OpenAPI document of the service under a profile. For the default profile, the build has generated it. */
export function documentOf(api: Api, profile: Profile): OpenAPIV3_1.Document {
  return isDefault(profile) ? billingDocument : buildDocument(api, profile);
}

/**
 * Builds the document of a profile, with the error responses and examples that the service returns under this
 * profile.
 */
export function buildDocument(api: Api, profile: Profile): OpenAPIV3_1.Document {
  const document = structuredClone(api.document);
  const { requests, responses, events } = examplesOf(api, profile);
  replaceErrors(document, errorResponsesOf(api, profile));
  replaceExamples(document.components?.responses, responses);
  replaceExamples(document.components?.requestBodies, { ...requests, ...events });
  setHeaderExamples(document.components?.headers, profile);
  removeHiddenFields(document.components?.schemas?.['Transaction'], profile['invoice.transactions']);
  removeHiddenFields(document.components?.schemas?.['Subscription'], profile['invoice.subscription']);
  removeHiddenFields(document.components?.schemas?.['Deposit'], profile['deposit.fields']);
  refuseNullInRequiredFields(document.components?.schemas?.['NewDeposit']);
  if (!isDefault(profile)) describeChoices(document, profile);
  return document;
}

/** Returns true if every gap is at its default. */
function isDefault(profile: Profile): boolean {
  return Object.entries(profile).every(([id, choice]) => choice === memberOf(defaultProfile(), id));
}

/** Replaces the error responses of the document, and removes responses that it no longer uses. */
function replaceErrors(document: OpenAPIV3_1.Document, { names, responses }: ErrorResponses): void {
  for (const { get, post } of Object.values(document.paths ?? {}).map((item) => item ?? {})) {
    for (const operation of [get, post]) {
      const errorNames = names.get(operation?.operationId ?? '');
      if (!operation || !errorNames) continue;
      const others = Object.entries(operation.responses ?? {}).filter(([status]) => !/^[45]\d\d$/.test(status));
      const references = [...errorNames].map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]);
      operation.responses = Object.fromEntries([...others, ...references]);
    }
  }
  const used = JSON.stringify([document.paths, document.webhooks]);
  const all = Object.entries({ ...document.components?.responses, ...responses });
  document.components = {
    ...document.components,
    responses: Object.fromEntries(all.filter(([name]) => used.includes(`"#/components/responses/${name}"`))),
  };
}

/** Removes from a schema the fields that the profile does not show. */
function removeHiddenFields(
  schema: OpenAPIV3_1.SchemaObject | undefined,
  choice: 'all' | { readonly fields: readonly string[] },
): void {
  if (!schema || choice === 'all') return;
  const isShown = (name: string): boolean => choice.fields.includes(name);
  schema.properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => isShown(name)));
  schema.required = schema.required?.filter(isShown) ?? [];
}

/**
 * Removes null from the alternatives of required fields: null counts as omitted, and a required field must not be
 * omitted. Only deposits have fields that a profile makes required.
 */
function refuseNullInRequiredFields({ properties = {}, required = [] }: OpenAPIV3_1.SchemaObject = {}): void {
  for (const name of required) {
    const property = properties[name];
    if (property && !('$ref' in property) && property.anyOf)
      property.anyOf = property.anyOf.filter((schema) => !('$ref' in schema && schema.$ref === omittedNullRef));
  }
}

type Content = { content?: Record<string, OpenAPIV3_1.MediaTypeObject> } | OpenAPIV3_1.ReferenceObject;

/** Replaces the examples of the named responses or request bodies. */
function replaceExamples(components: Record<string, Content> | undefined, set: ExampleSet): void {
  for (const [name, examples] of Object.entries(set)) {
    const component = components?.[name];
    const media = component && 'content' in component ? component.content?.['application/json'] : undefined;
    if (!media) throw new Error(`the document has no place for examples of ${name}`);
    media.examples = Object.fromEntries(Object.entries(examples).map(([example, value]) => [example, { value }]));
  }
}

/** The time of the request whose rate-limit headers are the examples. */
const firstRequestAt = Date.parse('2026-04-01T09:00:00Z');

/** Sets the examples of the rate-limit headers to their values in the response to a first request. */
function setHeaderExamples(
  headers: Record<string, OpenAPIV3_1.HeaderObject | OpenAPIV3_1.ReferenceObject> = {},
  profile: Profile,
): void {
  const { report } = countRequest(undefined, profile, firstRequestAt);
  for (const [name, example] of Object.entries(rateHeaders(report, profile, firstRequestAt))) {
    const header = headers[name];
    if (header && !('$ref' in header)) header.example = example;
  }
}
