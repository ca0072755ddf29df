import { BroadcastChannel } from 'node:worker_threads';
import { inject } from 'vitest';
import { defineSuite } from '../engine/suite.js';
import type { News } from './context.js';

/** The suite as `billing-sim contract` runs it: in a thread of vitest, which is handed the options. */
const channel = new BroadcastChannel(inject('contractChannel'));
// It must not keep the thread alive.
channel.unref();
const send = (news: News): void => channel.postMessage(news);
defineSuite(inject('contractOptions'), {
  onOpen: (requestsPerMinute) => send({ opened: { requestsPerMinute } }),
  onWait: (waiting) => send({ waiting }),
  onClause: (progress, { meta }) => {
    meta.contract = progress;
  },
});
