import { expectTypeOf, test } from 'vitest';
import type { GapChoices } from '../../src/domain/gaps.js';
import type { GapId, Profile } from '../../src/openapi/profile.js';

test('profiles have every gap that the domain uses', () => {
  // The compiler checks these types, not the test run.
  expectTypeOf<Profile>().toExtend<GapChoices>();
  expectTypeOf<keyof GapChoices>().toExtend<GapId>();
});
