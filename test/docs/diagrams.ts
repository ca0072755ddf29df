import { lifecycleDiagram } from '../../src/text/diagram.js';

/** Names of the lifecycles that docs/lifecycles.md shows. */
const lifecycles = ['deposit', 'payment', 'invoice'] as const;

/** Returns a page with current diagrams. @throws if the page has no place for one, which is marked by two comments */
export function withDiagrams(page: string): string {
  let updated = page;
  for (const name of lifecycles) {
    const marked = new RegExp(`(?<=<!-- lifecycle: ${name} -->\n).*?(?=<!-- end -->)`, 's');
    if (!marked.test(page)) throw new Error(`the page has no place for the lifecycle of a ${name}`);
    updated = updated.replace(marked, () => `\n\`\`\`mermaid\n${lifecycleDiagram(name)}\n\`\`\`\n\n`);
  }
  return updated;
}
