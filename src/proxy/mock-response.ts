import type { OpenAPIV3_1 } from 'openapi-types';
import { didYouMean } from '../lib/did-you-mean.js';
import { lazy } from '../lib/lazy.js';
import { quote } from '../lib/messages.js';
import type { Preferences, StatelessRequest, StatelessResponse } from '../lib/stateless-response.js';
import { type Operation, type Response, ServiceDocument } from './document.js';
import { documentOfOperation } from './document-of-operation.js';
import { adaptToSchema, copyForGeneration, roundNumbers } from './generation.js';
import { loadPrism, type Prism } from './prism.js';

/** Explains why no response can be made. */
type Problem = { readonly problem: string };

/**
 * An operation, loaded without the others of its document: most tests need only one, and loading all takes seconds.
 */
interface LoadedOperation {
  readonly operation: Operation;
  /** Loads prism-http with this operation only, for the first response. */
  readonly prism: () => Promise<Prism>;
}

/** Loaded operations by document, then by operationId. */
const loadedOperations = new WeakMap<OpenAPIV3_1.Document, Map<string, LoadedOperation>>();

function loadOperation(wholeDocument: OpenAPIV3_1.Document, id: string): LoadedOperation {
  const operations = loadedOperations.get(wholeDocument) ?? new Map<string, LoadedOperation>();
  loadedOperations.set(wholeDocument, operations);
  const loaded = operations.get(id);
  if (loaded) return loaded;
  const document = documentOfOperation(wholeDocument, id);
  const [operation] = new ServiceDocument(document).operations;
  if (!operation) throw new Error(`the document has no operation ${id}`);
  const prism = lazy(() => loadPrism(copyForGeneration(document)));
  const added: LoadedOperation = { operation, prism };
  operations.set(id, added);
  return added;
}

/** Responds to a request with nothing but the document: with one of its examples, or with data that fits its schemas. */
export async function respondStatelessly(request: StatelessRequest): Promise<StatelessResponse> {
  const { preferences, defaultSeed } = request;
  const loaded = loadOperation(request.document, request.operation);
  const { operation } = loaded;
  const choice = chooseResponse(operation, preferences);
  if ('problem' in choice) return choice;

  const prism = await loaded.prism();
  const { status, response, example, isDynamic } = choice;
  const seed = isDynamic ? preferences.seed || defaultSeed() : undefined;
  // prism-http keeps the operationId in `iid`.
  const prismOperation = prism.operations.find(({ iid }) => iid === operation.id);
  if (!prismOperation || !response.check)
    throw new Error(`prism-http cannot respond to ${operation.id} with ${status}`);
  const { output } = await prism.run(
    prismOperation,
    // The document has only GET and POST operations.
    { method: prismOperation.method === 'get' ? 'get' : 'post', url: { path: operation.path } },
    {
      isProxy: false,
      checkSecurity: false,
      validateRequest: false,
      validateResponse: false,
      errors: false,
      upstreamProxy: undefined,
      mock: {
        code: status,
        dynamic: isDynamic,
        ...(example === undefined ? {} : { exampleKey: example }),
        ...(seed === undefined ? {} : { seed }),
      },
    },
  );
  const generated = isDynamic ? roundNumbers(output.body) : output.body;
  return {
    status,
    headers: documentedHeaders(response, output.headers ?? {}),
    body: JSON.stringify(adaptToSchema(generated, response.check)),
    applied: {
      ...(preferences.code === undefined ? {} : { code: preferences.code }),
      ...(example === undefined ? {} : { example }),
      ...(seed === undefined ? {} : { dynamic: 'true', seed }),
      ...(preferences.dynamic === 'false' ? { dynamic: 'false' } : {}),
    },
  };
}

/** The documented response to respond with. */
interface Choice {
  readonly status: number;
  readonly response: Response;
  /** Name of the example; undefined if the client names none. */
  readonly example: string | undefined;
  /** True to generate the response from its schema instead of using an example. */
  readonly isDynamic: boolean;
}

/** Chooses the documented response that a client prefers, or explains why there is none. */
function chooseResponse(operation: Operation, { code, example, dynamic, seed }: Preferences): Choice | Problem {
  if (dynamic !== undefined && !['', 'true', 'false'].includes(dynamic)) {
    return { problem: `dynamic must be true or false, not \`${dynamic}\`` };
  }
  if (seed === '') return { problem: 'seed needs a value, for example seed=1' };
  const isDynamic = example === undefined && (dynamic === undefined ? seed !== undefined : dynamic !== 'false');
  const { responses } = operation;
  if (code !== undefined) {
    const response = responses.get(code) ?? (/^[45]\d\d$/.test(code) ? responses.get('default') : undefined);
    if (!response || code === 'default') return unknownCode(operation, code);
    if (example !== undefined && !response.examples.has(example)) return unknownExample(operation, example, code);
    return { status: Number(code), response, example, isDynamic };
  }
  const found = [...responses]
    .sort(compareStatuses)
    .find(([, { examples }]) => example === undefined || examples.has(example));
  if (!found) return unknownExample(operation, example ?? '');
  const [status, response] = found;
  // The default response is an error without a fixed status, so any error status fits.
  return { status: status === 'default' ? 500 : Number(status), response, example, isDynamic };
}

/** Sorts responses by status: successes first, the default last. */
function compareStatuses([a]: [string, Response], [b]: [string, Response]): number {
  return (Number(a) || 999) - (Number(b) || 999);
}

function unknownCode({ id, responses }: Operation, code: string): Problem {
  const listed = [...responses.keys()].filter((status) => status !== 'default');
  const others = responses.has('default') ? ', and any other from 400 to 599' : '';
  return { problem: `${id} has no code ${quote(code)}${didYouMean(code, listed, { listKnown: 'always' })}${others}` };
}

function unknownExample({ id, responses }: Operation, example: string, code?: string): Problem {
  const all = [...responses].flatMap(([status, { examples }]) =>
    [...examples.keys()].map((name) => ({ name, shown: `${name} (${status})` })),
  );
  const names = all.map(({ name }) => name);
  const suggestion = didYouMean(example, names, { listKnown: 'never' });
  const available = `${suggestion === '' ? '; available' : ' Available'}: ${all.map(({ shown }) => shown).join(', ')}`;
  const place = code === undefined ? '' : ` for ${code}`;
  return { problem: `${id} has no example ${quote(example)}${place}${suggestion}${available}` };
}

/** Selects the headers of a response of prism-http that the document lists. */
function documentedHeaders(
  { headers }: Response,
  generated: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(
    headers.flatMap(({ name }) => (name in generated ? [[name, String(generated[name])]] : [])),
  );
}
