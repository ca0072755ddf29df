import { releaseDeposit } from '../deposits.js';
import type { Verb } from './verb.js';

export const releaseVerb: Verb = { name: 'release', on: { deposit: releaseDeposit } };
