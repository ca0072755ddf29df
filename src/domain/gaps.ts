import type { components } from '../generated/profile-types.js';

/** A choice for every gap of the specification; durations are in milliseconds. Source: openapi/gaps.yaml. */
export type Profile = components['schemas']['Profile'];
export type GapId = keyof Profile;

export interface Choice {
  says: string;
  /** JSON Schema of the value that the choice needs. */
  takes?: Record<string, unknown>;
  answer?: { status: number; error: string };
  /** JSON Patch that makes the OpenAPI document say the same. */
  document?: readonly Record<string, unknown>[];
}

export interface Gap {
  section: string;
  question: string;
  default: string;
  choices: Record<string, string | Choice>;
  probe: string;
}

export type GapRegistry = Record<GapId, Gap>;
