import { randomUUID } from 'node:crypto';
import type { Notice } from '../components/dashboard.js';

/** Maximum number of pending notices; the oldest are dropped. */
const maxNotices = 100;

/**
 * Notices for the next page. A notice is shown once, since it may hold a token; that of a form with errors is kept while the
 * form is being corrected, since parts of the page reload. A link cannot forge a notice.
 */
export class Notices {
  readonly #waiting = new Map<string, Notice>();

  /** @returns the id of the notice */
  keep(notice: Notice, id: string = randomUUID()): string {
    this.#waiting.set(id, notice);
    for (const oldest of [...this.#waiting.keys()].slice(0, -maxNotices)) this.#waiting.delete(oldest);
    return id;
  }

  take(id: string | null): Notice | undefined {
    const notice = id === null ? undefined : this.#waiting.get(id);
    if (id !== null && !notice?.form) this.#waiting.delete(id);
    return notice;
  }
}
