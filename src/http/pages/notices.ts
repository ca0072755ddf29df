import { randomUUID } from 'node:crypto';
import type { Notice } from '../../pages/dashboard.js';

/** How many wait to be shown; the oldest gives way. */
const most = 100;

/** What is to be told on the next page, once: it may hold a token. Nobody can make one up by a link. */
export class Notices {
  readonly #waiting = new Map<string, Notice>();

  /** @returns what leads to it */
  keep(notice: Notice): string {
    const id = randomUUID();
    this.#waiting.set(id, notice);
    for (const oldest of [...this.#waiting.keys()].slice(0, -most)) this.#waiting.delete(oldest);
    return id;
  }

  take(id: string | null): Notice | undefined {
    const notice = id === null ? undefined : this.#waiting.get(id);
    if (id !== null) this.#waiting.delete(id);
    return notice;
  }
}
