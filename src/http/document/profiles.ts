import type { OpenAPIV3_1 } from 'openapi-types';
import { type Api, readApi } from '../../openapi/document.js';
import type { Profile } from '../../openapi/gaps.js';
import { type Choices, resolveProfile } from '../../openapi/profile.js';
import { documentOf } from './served-document.js';

/** Maximum number of profiles that a world caches. Each takes up to half a megabyte. */
const maxProfiles = 32;

interface KnownProfile {
  readonly profile: Profile;
  api?: Api;
  document?: OpenAPIV3_1.Document;
}

/** The cache that resolved each profile. Every world has its own cache. */
const caches = new WeakMap<Profile, Profiles>();

/** The profiles of one world. Caches the APIs and documents of the most recently used ones. */
export class Profiles {
  /** Profiles by the JSON of all their choices, least recently used first. */
  readonly #known = new Map<string, KnownProfile>();
  readonly #keys = new WeakMap<Profile, string>();
  #last: KnownProfile | undefined;

  /**
   * Resolves choices to a complete profile: the same object for the same choices while it is cached.
   * @throws ProfileError for an unknown gap or choice, or a value that does not fit
   */
  resolve(choices: Choices): Profile {
    const { profile } = this.#use(resolveProfile(choices));
    caches.set(profile, this);
    return profile;
  }

  api(profile: Profile): Api {
    const known = this.#use(profile);
    known.api ??= readApi(profile);
    return known.api;
  }

  document(profile: Profile): OpenAPIV3_1.Document {
    const known = this.#use(profile);
    known.document ??= documentOf(this.api(profile), profile);
    return known.document;
  }

  /** The number of cached profiles. */
  get size(): number {
    return this.#known.size;
  }

  #use(profile: Profile): KnownProfile {
    if (this.#last?.profile === profile) return this.#last;
    // Every profile has its choices in the order of the registry, so equal profiles have the same JSON.
    const key = this.#keys.get(profile) ?? JSON.stringify(profile);
    const known = this.#known.get(key) ?? { profile };
    this.#keys.set(profile, key);
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxProfiles && oldest !== undefined) this.#known.delete(oldest);
    this.#last = known;
    return known;
  }
}

/** Returns the API of a profile, from the cache of its world if it has one. */
export function apiOf(profile: Profile): Api {
  return caches.get(profile)?.api(profile) ?? readApi(profile);
}

/** Returns the OpenAPI document of the service under a profile, from the cache of its world if it has one. */
export function servedDocument(profile: Profile): OpenAPIV3_1.Document {
  return caches.get(profile)?.document(profile) ?? documentOf(readApi(profile), profile);
}
