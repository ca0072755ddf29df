import type { OpenAPIV3_1 } from 'openapi-types';
import { memberOf } from './json.js';
import { pointerParts } from './json-pointer.js';

/**
 * Follows a reference within an OpenAPI document, such as `#/components/schemas/Amount`.
 * @throws Error if nothing is there
 */
export function followReference(document: object, reference: string): unknown {
  const target = pointerParts(reference).reduce<unknown>(memberOf, document);
  if (target === undefined) throw new Error(`the document has nothing at ${reference}`);
  return target;
}

/**
 * Returns a part of a document; if it is a reference, the component that it refers to.
 * @param components components of the same kind as the part, keyed by name
 * @throws Error if there is no such component
 */
export function resolveReference<Part extends object>(
  components: Readonly<Record<string, Part | OpenAPIV3_1.ReferenceObject>> | undefined,
  part: Part | OpenAPIV3_1.ReferenceObject,
): Part {
  if (!('$ref' in part)) return part;
  const found = components?.[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)];
  if (!found || '$ref' in found) throw new Error(`the document has nothing at ${part.$ref}`);
  return found;
}
