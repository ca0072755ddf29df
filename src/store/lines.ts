import { open } from 'node:fs/promises';

/** Byte that ends a line. */
const newline = 0x0a;

/** Size of each read, in bytes. */
const chunkSize = 1024 * 1024;

/** A line of a file. */
export interface Line {
  /** Line without its newline. Valid until the next lines are read. */
  readonly bytes: Buffer;
  /** Offset of its first byte in the file. */
  readonly offset: number;
  /** False only for the last line of a file that does not end with a newline. */
  readonly hasNewline: boolean;
}

/**
 * Reads the lines of a file in batches, so that large files do not have to fit in memory. All reads share a buffer: a
 * stream allocates one for each, which takes longer than the reading itself.
 * @param onChunk called with each part of the file, in order
 */
export async function* readLines(path: string, onChunk?: (chunk: Buffer) => void): AsyncGenerator<Line[]> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(chunkSize);
    let parts: Buffer[] = [];
    let offset = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      onChunk?.(chunk);
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
      if (start < chunk.length) parts.push(Buffer.from(chunk.subarray(start)));
      yield lines;
    }
    if (parts.length > 0) yield [{ bytes: Buffer.concat(parts), offset, hasNewline: false }];
  } finally {
    await file.close();
  }
}
