/** Size of the screen of a small phone, in pixels. */
export const phoneScreen = { width: 320, height: 800 } as const;
