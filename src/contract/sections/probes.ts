import type { Probe } from '../calibrate/probe.js';
import { authenticationProbes } from './authentication/probes.js';
import { depositLifecycleProbes } from './deposit-lifecycle/probes.js';
import { depositProbes } from './deposits/probes.js';
import { responseFormatProbes, validationProbes } from './envelope/probes.js';
import { idempotencyProbes } from './idempotency/probes.js';
import { characterProbes, sizeProbes } from './input-limits/probes.js';
import { itemProbes } from './invoice-creation/probes.js';
import { invoiceProbes } from './invoice-list/probes.js';
import { pageProbes } from './paging/probes.js';
import { linkProbes } from './payment-links/probes.js';
import { rateLimitProbes, windowProbes } from './rate-limits/probes.js';
import { statisticsProbes } from './statistics/probes.js';
import { eventProbes } from './webhooks/probes.js';

/**
 * A probe for every gap, that is, for every question that the specification leaves open. A probe observes the target's
 * choice, unless that is impossible from outside. The probes run in this order.
 */
export const probes: readonly Probe[] = [
  ...windowProbes,
  ...responseFormatProbes,
  ...invoiceProbes,
  ...itemProbes,
  ...statisticsProbes,
  ...linkProbes,
  ...depositProbes,
  ...idempotencyProbes,
  ...depositLifecycleProbes,
  ...sizeProbes,
  ...eventProbes,
  ...pageProbes,
  ...validationProbes,
  ...authenticationProbes,
  ...characterProbes,
  ...rateLimitProbes,
];
