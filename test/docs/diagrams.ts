import { lifecycleDiagram } from '../../src/text/diagram.js';

/** Names of the lifecycles that docs/lifecycles.md shows. */
const lifecycles = ['deposit', 'payment', 'invoice'] as const;

/** Returns a page with current diagrams, each between two comments. @throws Error if the page lacks such comments */
export function withDiagrams(page: string): string {
  let updated = page;
  for (const name of lifecycles) {
    const marked = new RegExp(`(?<=<!-- lifecycle: ${name} -->\n).*?(?=<!-- end -->)`, 's');
    if (!marked.test(page)) throw new Error(`the page has no place for the lifecycle of a ${name}`);
    updated = updated.replace(marked, () => `\n\`\`\`mermaid\n${lifecycleDiagram(name)}\n\`\`\`\n\n`);
  }
  return updated;
}
