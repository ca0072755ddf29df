import { randomUUID } from 'node:crypto';
import type { Notice } from '../components/dashboard-page.js';

/** Maximum number of pending notices; the oldest are dropped. */
const maxNotices = 100;

/**
 * Keeps notices, each for the page that is shown next. The URL of that page contains only the random id of the
 * notice, so that a link cannot forge one. A notice is removed when it is shown, since it may contain a token. A notice
 * with form values stays, because it is needed again whenever a part of the page reloads while the user edits the form;
 * it is dropped once there are too many newer notices.
 */
export class Notices {
  readonly #pending = new Map<string, Notice>();

  /** @returns the id of the notice; a notice with form values got its id when it was created */
  keep(notice: Notice): string {
    const id = notice.form?.noticeId ?? randomUUID();
    this.#pending.set(id, notice);
    for (const oldest of [...this.#pending.keys()].slice(0, -maxNotices)) this.#pending.delete(oldest);
    return id;
  }

  /** Returns a notice, and removes it unless it has form values. @param id null if the URL of the page has none */
  take(id: string | null): Notice | undefined {
    const notice = id === null ? undefined : this.#pending.get(id);
    if (id !== null && !notice?.form) this.#pending.delete(id);
    return notice;
  }
}
