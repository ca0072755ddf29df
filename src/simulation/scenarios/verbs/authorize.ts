import { authorizeDeposit } from '../../operations/deposits.js';
import type { Verb } from './verb.js';

export const authorizeVerb: Verb = { name: 'authorize', on: { deposit: authorizeDeposit } };
