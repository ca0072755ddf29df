import type { Probe } from '../probe.js';
import { accessProbes } from './access.js';
import { bodyProbes } from './bodies.js';
import { depositKeyProbes } from './deposit-keys.js';
import { depositLifeProbes } from './deposit-lives.js';
import { depositProbes } from './deposits.js';
import { eventProbes } from './events.js';
import { invoiceRuleProbes } from './invoice-rules.js';
import { invoiceProbes } from './invoices.js';
import { limitProbes } from './limits.js';
import { linkProbes } from './links.js';
import { pageProbes } from './pages.js';
import { rateProbes, windowProbes } from './rates.js';
import { refusalProbes } from './refusals.js';
import { sumProbes } from './sums.js';

/** A probe for every gap of the registry, in the order in which they are made. */
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
  ...limitProbes,
  ...eventProbes,
  ...pageProbes,
  ...refusalProbes,
  ...accessProbes,
  ...rateProbes,
];
