import { BroadcastChannel } from 'node:worker_threads';
import { inject } from 'vitest';
import { defineSuite } from '../engine/suite.js';
import type {} from './context.js';

/** The suite as `billing-sim contract` runs it: in a thread of vitest, which is handed the options. */
const channel = new BroadcastChannel(inject('contractChannel'));
// It must not keep the thread alive.
channel.unref();
defineSuite(inject('contractOptions'), {
  onWait: (milliseconds) => channel.postMessage(milliseconds),
  onClause: (progress, { meta }) => {
    meta.contract = progress;
  },
});
