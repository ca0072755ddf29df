import type { Page } from 'playwright-core';

/** Returns a list with an error message if a page is wider than `maxWidth` pixels, and otherwise an empty list. */
export async function overflowOf(page: Page, maxWidth: number): Promise<string[]> {
  const layout = await page.evaluate<{ width: number; elements: string[] }>(`(() => {
    const isClipped = (element) => { for (let ancestor = element; ancestor; ancestor = ancestor.parentElement) {
      if (getComputedStyle(ancestor).overflowX !== 'visible') return true; } return false; };
    const elements = [...document.body.querySelectorAll('*')].filter((element) =>
      element.getBoundingClientRect().right > ${maxWidth} + 0.5 && !isClipped(element));
    return { width: document.documentElement.scrollWidth, elements: elements.map((element) => element.outerHTML.slice(0, 60)) };
  })()`);
  return layout.width > maxWidth
    ? [`${new URL(page.url()).pathname} is ${layout.width} pixels wide: ${layout.elements.slice(0, 3).join(' ')}`]
    : [];
}
