import type { VerbName } from '../../../domain/scenario.js';
import { authorizeVerb } from './authorize.js';
import { cancelVerb } from './cancel.js';
import { captureVerb } from './capture.js';
import { declineVerb } from './decline.js';
import { expireVerb } from './expire.js';
import { failVerb } from './fail.js';
import { faultVerb } from './fault.js';
import { finalizeVerb } from './finalize.js';
import { payVerb } from './pay.js';
import { releaseVerb } from './release.js';
import { sendVerb } from './send.js';
import type { Verb } from './verb.js';
import { viewVerb } from './view.js';

const allVerbs: readonly Verb[] = [
  authorizeVerb,
  declineVerb,
  captureVerb,
  releaseVerb,
  expireVerb,
  payVerb,
  failVerb,
  finalizeVerb,
  sendVerb,
  viewVerb,
  cancelVerb,
  faultVerb,
];

/** All verbs (actions of scenario steps), keyed by name. */
export const verbs: ReadonlyMap<VerbName, Verb> = new Map(allVerbs.map((verb) => [verb.name, verb]));
