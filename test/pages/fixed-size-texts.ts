import type { Page } from 'playwright-core';

/**
 * Doubles the font size that a user sets in the browser, and returns the elements whose text does not become twice as
 * large. Drawings are left out: they have a fixed size.
 */
export function fixedSizeTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const hasText = ({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
    const elements = [...document.querySelectorAll('body :not(svg, svg *)')].filter(hasText);
    const sizeOf = (element) => parseFloat(getComputedStyle(element).fontSize);
    const sizes = elements.map(sizeOf);
    const root = document.documentElement;
    root.style.fontSize = '200%';
    const fixed = elements.filter((element, index) => sizeOf(element) < 2 * sizes[index]);
    root.style.fontSize = '';
    return fixed.map(({ outerHTML }) => outerHTML.slice(0, 60));
  })()`);
}
