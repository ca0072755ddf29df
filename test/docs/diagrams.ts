import { lifecycleDiagram } from '../../src/text/diagram.js';

/** Names of the lifecycles that docs/lifecycles.md shows. */
const lifecycles = ['deposit', 'payment', 'invoice'] as const;

/** Returns a page with current diagrams. A comment before each diagram contains the name of its lifecycle. */
export function withDiagrams(page: string): string {
  return lifecycles.reduce(
    (text, name) =>
      text.replace(
        new RegExp(`(<!-- lifecycle: ${name} -->\n).*?(?=<!-- end -->)`, 's'),
        (_, mark: string) => `${mark}\n\`\`\`mermaid\n${lifecycleDiagram(name)}\n\`\`\`\n\n`,
      ),
    page,
  );
}
