import { releaseDeposit } from '../../operations/deposits.js';
import type { Verb } from './verb.js';

export const releaseVerb: Verb = { name: 'release', on: { deposit: releaseDeposit } };
