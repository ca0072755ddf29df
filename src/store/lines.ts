import { createReadStream } from 'node:fs';

/** Byte that ends a line. */
const newline = 0x0a;

/** A line of a file. */
export interface Line {
  /** Line without its newline. */
  readonly bytes: Buffer;
  /** Offset of its first byte in the file. */
  readonly offset: number;
  /** False only for the last line of a file that does not end with a newline. */
  readonly hasNewline: boolean;
}

/** Reads the lines of a file in batches, so that large files do not have to fit in memory. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  let parts: Buffer[] = [];
  let offset = 0;
  const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1024 * 1024 });
  for await (const chunk of stream) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const lastPart = chunk.subarray(start, end);
      const bytes = parts.length === 0 ? lastPart : Buffer.concat([...parts, lastPart]);
      parts = [];
      lines.push({ bytes, offset, hasNewline: true });
      offset += bytes.length + 1;
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    yield lines;
  }
  if (parts.length > 0) yield [{ bytes: Buffer.concat(parts), offset, hasNewline: false }];
}
