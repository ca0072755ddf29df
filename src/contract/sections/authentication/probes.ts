import { type Choice, type Probe, passiveProbe, Unlisted, unobservable } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext, Setup } from '../../engine/session.js';
import { access } from './setups.js';

const askedFor = (operation: string) => {
  const found = access.find((one) => one.operation.id === operation);
  if (!found) throw new Error(`unknown operation ${operation}`);
  return found.requestBy;
};
const list = askedFor('listInvoices');
const creation = askedFor('createPaymentLink');

interface Refused {
  readonly status: number;
  readonly error: string;
}

/** The refusal that two requests of a kind have in common, or the only one that could be sent. */
async function refusedWith(
  context: ClauseContext,
  first: Setup<Exchange>,
  second: Setup<Exchange>,
): Promise<Refused | Unlisted> {
  const one = await ifPossible(context.use(first));
  const exchanges = [one ?? (await context.use(second)), await ifPossible(context.use(second))];
  const refusals = exchanges.flatMap((exchange) => (exchange ? [refusalIn(exchange)] : []));
  const [refusal, ...others] = refusals;
  const isOne = refusal !== undefined && others.every((other) => JSON.stringify(other) === JSON.stringify(refusal));
  const { status, error } = refusal ?? {};
  return isOne && isStatus(status) && typeof error === 'string' && error !== ''
    ? { status, error }
    : new Unlisted(refusals);
}

function refusalIn({ status, json }: Exchange): { status: number; error: unknown } {
  return { status, error: valueAt(json, 'error') };
}

function isStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 400 && status <= 499;
}

/** Choice for a refusal: two of them have names. */
function named(refused: Refused | Unlisted, usual: string): Choice<'auth.scope'> | Unlisted {
  if (refused instanceof Unlisted) return refused;
  const { status, error } = refused;
  if (error === usual && status === 401) return '401';
  if (error === usual && status === 403) return '403';
  return { answer: { status, error } };
}

/** Probes of authentication. */
export const accessProbes: readonly Probe[] = [
  passiveProbe('auth.unauthenticated', async (context) =>
    named(await refusedWith(context, list.none, list.unknown), 'Unauthenticated.'),
  ),
  passiveProbe('auth.scope', async (context) =>
    named(await refusedWith(context, list.write, creation.read), 'Invalid scope(s) provided.'),
  ),
  unobservable('auth.token-lifetime'),
];
