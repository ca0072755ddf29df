/** The HTML of a page without its header and navigation. A fragment without a main element is returned unchanged. */
export function contentOf(html: string): string {
  return html.slice(Math.max(0, html.indexOf('<main')));
}

/** Visible text of a page without its header and navigation, or of a fragment of a page, with single spaces. */
export function visibleText(html: string): string {
  // Inline elements do not separate words.
  const inlineTags = /<\/?(?:a|code|small|span|strong|time)(?: [^>]*)?>/g;
  return unescapeHtml(
    contentOf(html)
      .replace(inlineTags, '')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();
}

/** Replaces the character references that occur in pages with their characters. */
export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
