/** A fenced block of a Markdown page: the words after the fence, the text, and the line that the fence is on. */
export interface Block {
  readonly language: string;
  /** Text after the language, such as the name of a terminal or of a file. */
  readonly name: string;
  readonly text: string;
  readonly line: number;
}

/** The fenced blocks of a page, in order. */
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

/** A page without its fenced blocks, which is where links and inline code are. */
export function prose(markdown: string): string {
  return markdown.replace(/^```.*?^```$/gms, '');
}

/** The ids that GitHub gives to the headings of a page. */
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
