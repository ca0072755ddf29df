/** A fenced code block of a Markdown page. */
export interface Block {
  readonly language: string;
  /** Text after the language on the line of the fence, such as the name of a terminal or of a file. */
  readonly name: string;
  readonly text: string;
  /** Number of the line of the opening fence, from 1. */
  readonly line: number;
}

/** Returns the fenced blocks of a page, in order. */
export function fencedBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)(?: ([^\n]+))?\n(.*?)^```$/gms)].map(
    ({ 1: language = '', 2: name = '', 3: text = '', index }) => ({
      language,
      name,
      text,
      line: markdown.slice(0, index).split('\n').length,
    }),
  );
}

/** Removes the fenced blocks of a page. */
export function prose(markdown: string): string {
  return markdown.replace(/^```.*?^```$/gms, '');
}

/** Returns the targets of links and pictures, except those that lead to other sites. */
export function localTargets(markdown: string): string[] {
  return [...prose(markdown).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    .map(([, inline, attribute]) => inline ?? attribute ?? '')
    .filter((target) => !/^https?:/.test(target));
}

/** Computes the ids that GitHub gives to the headings of a page. */
export function headingIds(markdown: string): string[] {
  const counts = new Map<string, number>();
  return [...prose(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const id = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const earlier = counts.get(id) ?? 0;
    counts.set(id, earlier + 1);
    return earlier === 0 ? id : `${id}-${earlier}`;
  });
}
