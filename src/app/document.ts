import type { OpenAPIV3_1 } from 'openapi-types';
import { servedDocument } from '../http/document/profiles.js';
import { type Choices, resolveProfile } from '../openapi/profile.js';

/** The OpenAPI document of the service with these choices for the gaps. @throws ProfileError */
export function documentOf(choices: Choices): OpenAPIV3_1.Document {
  return servedDocument(resolveProfile(choices));
}
