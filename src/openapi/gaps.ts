import type { components } from '../generated/profile-types.js';

/** A choice for every gap in the specification; durations are in milliseconds. Source: openapi/gaps.yaml. */
export type Profile = components['schemas']['Profile'];
export type GapId = keyof Profile;
