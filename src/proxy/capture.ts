import { maxCheckedBytes } from './body.js';
import type { Body } from './exchange.js';

/** Copies the body of a message as it passes through the proxy, up to the size that can be checked. */
export class Capture {
  #chunks: Buffer[] = [];
  #size = 0;
  #hasEnded = false;

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= maxCheckedBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  end(): void {
    this.#hasEnded = true;
  }

  get body(): Body {
    if (this.#size > maxCheckedBytes) return 'too-large';
    return this.#hasEnded ? Buffer.concat(this.#chunks) : 'cut-off';
  }
}
