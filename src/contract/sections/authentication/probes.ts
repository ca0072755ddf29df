import { type Choice, NoMatchingChoice, type Probe, passiveProbe, unobservableProbe } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext, Setup } from '../../engine/session.js';
import { operationWithRequests } from './setups.js';

const invoiceListByToken = operationWithRequests('listInvoices').requestWithToken;
const linkCreationByToken = operationWithRequests('createPaymentLink').requestWithToken;

interface CommonError {
  readonly status: number;
  readonly error: string;
}

/**
 * Returns the status and error that the responses to two requests have in common; NoMatchingChoice if they differ, or
 * if they are not 4xx responses with an `error`. If the run lacks the token for one of the requests, only the other
 * counts.
 * @throws Skip if the run lacks the tokens for both
 */
async function commonError(
  context: ClauseContext,
  first: Setup<Exchange>,
  second: Setup<Exchange>,
): Promise<CommonError | NoMatchingChoice> {
  const firstResponse = await ifPossible(context.use(first));
  // One response is enough. Without the first one, `use` throws the Skip if the run lacks the second token, too.
  const secondResponse = firstResponse ? await ifPossible(context.use(second)) : await context.use(second);
  const errors = [firstResponse, secondResponse].flatMap((exchange) => (exchange ? [errorIn(exchange)] : []));
  const [firstError, ...others] = errors;
  const haveSameError =
    firstError !== undefined && others.every((other) => JSON.stringify(other) === JSON.stringify(firstError));
  const { status, error } = firstError ?? {};
  return haveSameError && isErrorStatus(status) && typeof error === 'string' && error !== ''
    ? { status, error }
    : new NoMatchingChoice(errors);
}

function errorIn({ status, json }: Exchange): { status: number; error: unknown } {
  return { status, error: valueAt(json, 'error') };
}

function isErrorStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 400 && status <= 499;
}

/**
 * Returns the choice that describes the error of refused requests: the status, `401` or `403`, if the text is the
 * default one; otherwise `answer`, with status and text. Both gaps that use this function have these choices.
 */
function choiceForError(
  found: CommonError | NoMatchingChoice,
  defaultError: string,
): Choice<'auth.scope'> | NoMatchingChoice {
  if (found instanceof NoMatchingChoice) return found;
  const { status, error } = found;
  if (error === defaultError && status === 401) return '401';
  if (error === defaultError && status === 403) return '403';
  return { answer: { status, error } };
}

/** Probes for the gaps about authentication. */
export const authenticationProbes: readonly Probe[] = [
  passiveProbe({
    gap: 'auth.unauthenticated',
    findChoice: async (context) =>
      choiceForError(
        await commonError(context, invoiceListByToken.none, invoiceListByToken.unknown),
        'Unauthenticated.',
      ),
  }),
  passiveProbe({
    gap: 'auth.scope',
    findChoice: async (context) =>
      choiceForError(
        await commonError(context, invoiceListByToken.write, linkCreationByToken.read),
        'Invalid scope(s) provided.',
      ),
  }),
  unobservableProbe('auth.token-lifetime'),
];
