/** An id that no record has: far beyond what was given out, yet an integer of 32 bits. */
export const unknownId = 2_147_483_600;
