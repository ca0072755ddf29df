import { randomUUID } from 'node:crypto';
import type { Notice } from '../components/dashboard.js';

/** Maximum number of pending notices; the oldest are dropped. */
const maxNotices = 100;

/**
 * Keeps notices for the next page, whose URL has the id of its notice. Ids are random, so that a link cannot forge a
 * notice. A notice is shown once, since it may contain a token. But a notice with the values of a form is shown again
 * when parts of the page reload while the user edits the form; it is dropped when there are too many newer notices.
 */
export class Notices {
  readonly #pending = new Map<string, Notice>();

  /** @returns the id of the notice */
  keep(notice: Notice, id: string = randomUUID()): string {
    this.#pending.set(id, notice);
    for (const oldest of [...this.#pending.keys()].slice(0, -maxNotices)) this.#pending.delete(oldest);
    return id;
  }

  /** Returns a notice, and removes it unless it contains a form. @param id null if the page has no notice */
  take(id: string | null): Notice | undefined {
    const notice = id === null ? undefined : this.#pending.get(id);
    if (id !== null && !notice?.form) this.#pending.delete(id);
    return notice;
  }
}
