import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { minorUnitsOf, schemaKeywords } from './schema-keywords.js';

/** Schemas are not validated against the meta-schema, which is slow to compile. Tests do that. */
const withoutMetaSchema = { validateSchema: false, meta: false } as const;

/**
 * Ajv for our own schemas, with the formats and additional keywords of our documents. Strict: unknown keywords are
 * errors.
 * @param maxPlacesOf returns the maximum number of decimal places of a currency; also called if the currency is missing
 *   or invalid
 */
export function strictAjv(options: Options = {}, maxPlacesOf = minorUnitsOf): Ajv2020 {
  // Verbose: errors include the invalid value and its schema, which messages need.
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, verbose: true, ...withoutMetaSchema, ...options });
  addFormats.default(ajv);
  // These keywords validate nothing. `x-expected` says in words what a value must be, for error messages
  // (`firstSchemaError`).
  ajv.addVocabulary(['x-gap', 'x-expected', 'x-default', 'example']);
  for (const keyword of schemaKeywords(maxPlacesOf)) ajv.addKeyword(keyword);
  return ajv;
}
