import { type Document, isMap, isNode, isScalar, isSeq, type LineCounter } from 'yaml';

/** Line of the deepest existing part of a path in a document: a key or a list item. */
export function lineAt(document: Document, lines: LineCounter, path: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (!pair || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    }
  }
  return lines.linePos(offset).line;
}
