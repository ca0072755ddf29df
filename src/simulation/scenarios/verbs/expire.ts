import { expireDeposit } from '../../operations/deposits.js';
import type { Verb } from './verb.js';

export const expireVerb: Verb = { name: 'expire', on: { deposit: expireDeposit } };
