import type { Page } from 'playwright-core';

/** A page that is too wide: its address, its width, and the elements that overflow. */
export async function overflowOf(page: Page, width: number): Promise<string[]> {
  const found = await page.evaluate<{ width: number; elements: string[] }>(`(() => {
    const within = (element) => { for (let up = element; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== 'visible') return true; } return false; };
    const elements = [...document.body.querySelectorAll('*')].filter((element) =>
      element.getBoundingClientRect().right > ${width} + 0.5 && !within(element));
    return { width: document.documentElement.scrollWidth, elements: elements.map((element) => element.outerHTML.slice(0, 60)) };
  })()`);
  return found.width > width
    ? [`${new URL(page.url()).pathname} is ${found.width} pixels wide: ${found.elements.slice(0, 3).join(' ')}`]
    : [];
}
