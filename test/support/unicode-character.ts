import fc from 'fast-check';

/** Generates any Unicode character. fast-check's unit `binary` does the same, but takes a second to create. */
export const unicodeCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10_ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));
