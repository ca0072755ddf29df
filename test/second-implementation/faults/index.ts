import { accessFaults } from './access.js';
import { depositFaults } from './deposits.js';
import { envelopeFaults } from './envelope.js';
import { eventFaults } from './events.js';
import type { Fault } from './fault.js';
import { invoiceReadingFaults } from './invoice-reading.js';
import { invoiceWritingFaults } from './invoice-writing.js';
import { limitFaults } from './limits.js';
import { linkFaults } from './links.js';
import { paymentFaults } from './payments.js';

const allFaults = {
  ...envelopeFaults,
  ...invoiceReadingFaults,
  ...invoiceWritingFaults,
  ...linkFaults,
  ...paymentFaults,
  ...depositFaults,
  ...accessFaults,
  ...limitFaults,
  ...eventFaults,
};

export type FaultId = keyof typeof allFaults;

/** All faults. A service has at most one of them. */
export const faults: Readonly<Record<FaultId, Fault>> = allFaults;
