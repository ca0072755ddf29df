import type { OpenAPIV3_1 } from 'openapi-types';
import type { Profile } from '../../domain/gaps.js';
import { type Api, compileApi } from '../../openapi/document.js';
import { type Choices, resolveProfile } from '../../openapi/profile.js';
import { makeDocument } from './served-document.js';

/** How many profiles of a world stay compiled. Each takes about half a megabyte. */
const maxProfiles = 32;

interface KnownProfile {
  readonly profile: Profile;
  api?: Api;
  document?: OpenAPIV3_1.Document;
}

/** The world's cache that a profile is from. It holds on to nothing, and profiles of different worlds never meet in it. */
const caches = new WeakMap<Profile, Profiles>();

/** The profiles of one world, with what is compiled of those used last. The others are compiled again when they are needed. */
export class Profiles {
  /** By all choices; the one used last comes last. */
  readonly #known = new Map<string, KnownProfile>();
  readonly #keys = new WeakMap<Profile, string>();
  #last: KnownProfile | undefined;

  /**
   * The whole profile that some choices make: the same object for the same choices, as long as it is kept.
   * @throws ProfileError for an unknown gap or choice, or a value that does not fit
   */
  resolve(choices: Choices): Profile {
    const { profile } = this.#use(resolveProfile(choices));
    caches.set(profile, this);
    return profile;
  }

  /** @throws Error if a schema does not compile strictly */
  api(profile: Profile): Api {
    const known = this.#use(profile);
    known.api ??= compileApi(profile);
    return known.api;
  }

  document(profile: Profile): OpenAPIV3_1.Document {
    const known = this.#use(profile);
    known.document ??= makeDocument(this.api(profile), profile);
    return known.document;
  }

  /** How many profiles are kept. */
  get size(): number {
    return this.#known.size;
  }

  #use(profile: Profile): KnownProfile {
    if (this.#last?.profile === profile) return this.#last;
    const key = this.#keys.get(profile) ?? JSON.stringify(Object.entries(profile).sort());
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

/** What the profile's service takes, compiled; kept where the profile is of a world. @throws Error if a schema does not compile strictly */
export function apiOf(profile: Profile): Api {
  return caches.get(profile)?.api(profile) ?? compileApi(profile);
}

/** The document that says what the profile's service does; made when it is first asked for, and kept as the rest is. */
export function servedDocument(profile: Profile): OpenAPIV3_1.Document {
  return caches.get(profile)?.document(profile) ?? makeDocument(compileApi(profile), profile);
}
