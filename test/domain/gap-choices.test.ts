import { expectTypeOf, test } from 'vitest';
import type { GapChoices } from '../../src/domain/gaps.js';
import type { GapId, Profile } from '../../src/openapi/gaps.js';

test('a profile of the gap registry has every choice that the rules of the domain read', () => {
  expectTypeOf<Profile>().toExtend<GapChoices>();
  expectTypeOf<keyof GapChoices>().toExtend<GapId>();
});
