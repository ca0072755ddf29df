import type { Probe } from '../calibrate/probe.js';
import { accessProbes } from './authentication/probes.js';
import { depositLifeProbes } from './deposit-lifecycle/probes.js';
import { depositProbes } from './deposits/probes.js';
import { bodyProbes, refusalProbes } from './envelope/probes.js';
import { depositKeyProbes } from './idempotency/probes.js';
import { invoiceRuleProbes, sumProbes } from './invoice-creation/probes.js';
import { invoiceProbes } from './invoice-list/probes.js';
import { pageProbes } from './paging/probes.js';
import { linkProbes } from './payment-links/probes.js';
import { rateLimitProbes, sizeProbes, windowProbes } from './rate-limits/probes.js';
import { eventProbes } from './webhooks/probes.js';

/** A probe for every gap of the registry, in the order in which they run. */
export const probes: readonly Probe[] = [
  ...windowProbes,
  ...bodyProbes,
  ...invoiceProbes,
  ...invoiceRuleProbes,
  ...sumProbes,
  ...linkProbes,
  ...depositProbes,
  ...depositKeyProbes,
  ...depositLifeProbes,
  ...sizeProbes,
  ...eventProbes,
  ...pageProbes,
  ...refusalProbes,
  ...accessProbes,
  ...rateLimitProbes,
];
