import { expireDeposit } from '../deposits.js';
import type { Verb } from './verb.js';

export const expireVerb: Verb = { name: 'expire', on: { deposit: expireDeposit } };
