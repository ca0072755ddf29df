import type { OpenAPIV3_1 } from 'openapi-types';
import { memberOf } from '../lib/json.js';
import { pointerParts } from '../lib/json-pointer.js';
import { methods } from './document.js';
import { forEachNode, nodeOf } from './tree.js';

/**
 * Returns a document with one operation and the components that it needs. prism-http loads it in a tenth of the time
 * that the whole document takes.
 * @throws Error if the document has no such operation
 */
export function documentOfOperation(document: OpenAPIV3_1.Document, operationId: string): OpenAPIV3_1.Document {
  for (const [path, item = {}] of Object.entries(document.paths ?? {})) {
    const method = methods.find((candidate) => item[candidate]?.operationId === operationId);
    if (method === undefined) continue;
    const { parameters } = item;
    const paths = { [path]: { ...(parameters && { parameters }), [method]: item[method] } };
    const { webhooks: _, ...others } = document;
    const components = componentsOf(document, paths);
    return {
      ...others,
      paths,
      // Operations refer to security schemes by name, not with `$ref`.
      components: { ...components, securitySchemes: document.components?.securitySchemes ?? {} },
    };
  }
  throw new Error(`the document has no operation ${operationId}`);
}

/** Finds the components that a part of a document refers to, directly or through other components. */
function componentsOf(document: OpenAPIV3_1.Document, part: object): Record<string, Record<string, object>> {
  const found: Record<string, Record<string, object>> = {};
  const pending: object[] = [part];
  // This loop also visits the components that are added to the list meanwhile.
  for (const next of pending) {
    forEachNode(next, ({ $ref }) => {
      if (typeof $ref !== 'string') return;
      const [, kind = '', name = ''] = pointerParts($ref);
      const componentsOfKind = found[kind] ?? {};
      found[kind] = componentsOfKind;
      if (Object.hasOwn(componentsOfKind, name)) return;
      const component = nodeOf(memberOf(memberOf(document.components, kind), name));
      componentsOfKind[name] = component;
      pending.push(component);
    });
  }
  return found;
}
