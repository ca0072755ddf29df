import type { Locator } from 'playwright-core';

/**
 * Returns the visible texts of all elements that a locator finds, with single spaces. Poll it on pages with live
 * updates: an element that is replaced while the texts are read has no line breaks or spaces between its parts.
 */
export async function innerTextsOf(elements: Locator): Promise<string[]> {
  return (await elements.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
}
