import { randomUUID } from 'node:crypto';
import type { Notice } from '../components/dashboard.js';

/** How many wait to be shown; the oldest gives way. */
const most = 100;

/**
 * What is told on the next page: once, since it may hold a token; but of a form that was refused as long as somebody
 * corrects it, since parts of the page are fetched anew meanwhile. Nobody can make one up by a link.
 */
export class Notices {
  readonly #waiting = new Map<string, Notice>();

  /** @returns what leads to it */
  keep(notice: Notice, id: string = randomUUID()): string {
    this.#waiting.set(id, notice);
    for (const oldest of [...this.#waiting.keys()].slice(0, -most)) this.#waiting.delete(oldest);
    return id;
  }

  take(id: string | null): Notice | undefined {
    const notice = id === null ? undefined : this.#waiting.get(id);
    if (id !== null && !notice?.form) this.#waiting.delete(id);
    return notice;
  }
}
