import { createReadStream } from 'node:fs';

/** A line of a file. */
export interface Line {
  /** Line without its newline. */
  readonly bytes: Buffer;
  /** Offset in bytes. */
  readonly offset: number;
  /** Whether it ends with a newline; the last line may not. */
  readonly isEnded: boolean;
}

/** Reads the lines of a file in batches, so that its size does not matter. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  let parts: Buffer[] = [];
  let offset = 0;
  const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1024 * 1024 });
  for await (const chunk of stream) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end);
      const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
      parts = [];
      lines.push({ bytes, offset, isEnded: true });
      offset += bytes.length + 1;
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    yield lines;
  }
  if (parts.length > 0) yield [{ bytes: Buffer.concat(parts), offset, isEnded: false }];
}
