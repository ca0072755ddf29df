import { declineDeposit } from '../../operations/deposits.js';
import type { Verb } from './verb.js';

export const declineVerb: Verb = { name: 'decline', on: { deposit: declineDeposit } };
