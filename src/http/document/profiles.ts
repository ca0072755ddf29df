import type { OpenAPIV3_1 } from 'openapi-types';
import { type Api, readApi } from '../../openapi/document.js';
import { type Choices, type Profile, resolveProfile } from '../../openapi/profile.js';
import { documentOf } from './served-document.js';

/** Maximum number of profiles that a simulator caches. Each takes up to half a megabyte. */
const maxProfiles = 32;

interface CachedProfile {
  readonly profile: Profile;
  api?: Api;
  document?: OpenAPIV3_1.Document;
}

/** For each profile, the `Profiles` object that resolved it. Every simulator has one such object. */
const ownerOfProfile = new WeakMap<Profile, Profiles>();

/**
 * The profiles of one simulator. Caches what is derived from the most recently used ones: the parsed operations (`Api`)
 * and the OpenAPI document.
 */
export class Profiles {
  /** Profiles by the JSON of all their choices, least recently used first. */
  readonly #cached = new Map<string, CachedProfile>();
  readonly #keys = new WeakMap<Profile, string>();
  #last: CachedProfile | undefined;

  /**
   * Resolves choices to a complete profile: the same object for the same choices while it is cached.
   * @throws ProfileError for an unknown gap or choice, or an invalid value
   */
  resolve(choices: Choices): Profile {
    const { profile } = this.#use(resolveProfile(choices));
    ownerOfProfile.set(profile, this);
    return profile;
  }

  api(profile: Profile): Api {
    const cached = this.#use(profile);
    cached.api ??= readApi(profile);
    return cached.api;
  }

  document(profile: Profile): OpenAPIV3_1.Document {
    const cached = this.#use(profile);
    cached.document ??= documentOf(this.api(profile), profile);
    return cached.document;
  }

  /** The number of cached profiles. */
  get size(): number {
    return this.#cached.size;
  }

  /** Returns the cache entry of a profile, created if necessary, and marks it as the most recently used one. */
  #use(profile: Profile): CachedProfile {
    if (this.#last?.profile === profile) return this.#last;
    // Every profile has its choices in the order of the gaps in `gaps.yaml`, so equal profiles have the same JSON.
    const key = this.#keys.get(profile) ?? JSON.stringify(profile);
    const cached = this.#cached.get(key) ?? { profile };
    this.#keys.set(profile, key);
    this.#cached.delete(key);
    this.#cached.set(key, cached);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > maxProfiles && oldest !== undefined) this.#cached.delete(oldest);
    this.#last = cached;
    return cached;
  }
}

/** Returns the parsed operations for a profile, from the cache of its simulator if it has one. */
export function apiOf(profile: Profile): Api {
  return ownerOfProfile.get(profile)?.api(profile) ?? readApi(profile);
}

/** Returns the OpenAPI document of the service for a profile, from the cache of its simulator if it has one. */
export function servedDocument(profile: Profile): OpenAPIV3_1.Document {
  return ownerOfProfile.get(profile)?.document(profile) ?? documentOf(readApi(profile), profile);
}
