import type { OpenAPIV3_1 } from 'openapi-types';
import { authorizationWindow } from '../../domain/deposit-lifecycle.js';
import { paymentMethods } from '../../domain/payment-lifecycle.js';
import type { EventName } from '../../domain/records.js';
import type { Seed } from '../../domain/seed.js';
import { ServiceError } from '../../domain/service-error.js';
import type { OperationId } from '../../generated/billing-document.js';
import { isRecord } from '../../lib/is-record.js';
import { memberOf } from '../../lib/member-of.js';
import { parseJson } from '../../lib/parse-json.js';
import { resolveReference } from '../../lib/references.js';
import type { Api, Operation } from '../../openapi/document.js';
import type { Profile } from '../../openapi/gaps.js';
import type { Account } from '../../simulation/account.js';
import { Accounts, defaultAccount } from '../../simulation/accounts.js';
import { authorizeDeposit } from '../../simulation/operations/deposits.js';
import { payInvoiceLink, payLink } from '../../simulation/operations/payments.js';
import type { Ports } from '../../simulation/state/account-state.js';
import { PendingCommits } from '../../simulation/state/pending-commits.js';
import { createRoutes } from '../service/routes.js';
import { validated, validateQuery } from '../service/validation.js';
import { createViews, type Views } from '../service/views.js';
import { fitBody, scaleAmounts } from './fitting-bodies.js';

/** Examples by the name of their response or body, and their own name. */
export type ExampleSet = Record<string, Record<string, unknown>>;

/** The examples of a document. */
export interface Examples {
  readonly requests: ExampleSet;
  readonly responses: ExampleSet;
  readonly events: ExampleSet;
}

/**
 * Records responses and webhooks of the profile's service in a short session: the document's examples of bodies are
 * sent to an account in memory, as far as the profile lets them. Rejected requests have no example.
 */
export function examplesOf(api: Api, profile: Profile): Examples {
  const requests = requestExamples(api);
  const session: Session = { api, profile, requests, responses: {}, events: {} };
  billInvoices(session);
  summarizeInvoices(session);
  collectPayment(session);
  holdDeposit(session);
  return session;
}

interface Session extends Examples {
  readonly api: Api;
  readonly profile: Profile;
}

const second = 1_000;
const hour = 3_600 * second;
/** Upper limit of the amounts in the document's examples, and of their sum. */
const largestSum = 2_000;

/** The document's examples of bodies, made to fit the profile. */
function requestExamples({ document, operations, maximumAmount }: Api): ExampleSet {
  const set: ExampleSet = {};
  for (const { path, method, validateBody } of operations) {
    const body = document.paths?.[path]?.[method]?.requestBody;
    if (!body || !('$ref' in body)) continue;
    const name = body.$ref.slice('#/components/requestBodies/'.length);
    const own: Record<string, unknown> = {};
    for (const [example, value] of Object.entries(bodyExamples(document, body))) {
      const fitted = fitBody(scaleAmounts(value, maximumAmount / largestSum), validateBody);
      if (fitted !== undefined) own[example] = fitted;
    }
    set[name] = own;
  }
  return set;
}

function bodyExamples(document: OpenAPIV3_1.Document, body: OpenAPIV3_1.ReferenceObject): Record<string, unknown> {
  const examples =
    resolveReference<OpenAPIV3_1.RequestBodyObject>(document.components?.requestBodies, body).content[
      'application/json'
    ]?.examples ?? {};
  return Object.fromEntries(
    Object.entries(examples).flatMap(([example, given]) => ('value' in given ? [[example, given.value]] : [])),
  );
}

function billInvoices(session: Session): void {
  const account = openAccount(session, '2026-03-31T10:00:00Z');
  const { keep } = account;
  keep('InvoiceCreated', 'created', () => account.call('createInvoice', { body: newInvoice(session) }));
  keep('InvoicesListed', 'page', () => account.call('listInvoices'));
  keep('ReminderSent', 'sent', () => account.call('sendInvoiceReminder', { id: 1 }));
  keep('InvoiceRead', 'partly-paid', () => {
    account.moveTo(Date.parse('2026-04-10T09:15:00Z'));
    const half = Math.floor((account.own.invoices.get(1)?.amount ?? 0) * 50) / 100;
    payInvoiceLink(account.own, 1, { amount: half, method: methodLike('bank_transfer', session.profile) });
    return account.call('getInvoice', { id: 1 });
  });
}

/** One invoice is overdue, one is not yet, and one is paid. */
function summarizeInvoices(session: Session): void {
  const account = openAccount(session, '2026-03-31T10:00:00Z');
  const { keep } = account;
  keep('InvoiceStatsRead', 'statistics', () => {
    const body = newInvoice(session);
    account.call('createInvoice', { body });
    const items = memberOf(body, 'items');
    const later = {
      ...(isRecord(body) ? body : {}),
      items: Array.isArray(items) ? items.slice(-1) : [],
      date: '2026-04-30',
      due_date: '2026-05-30',
    };
    account.call('createInvoice', { body: later });
    account.call('createInvoice', { body: later });
    payInvoiceLink(account.own, 3, {});
    account.moveTo(Date.parse('2026-05-12T10:00:00Z'));
    return account.call('getInvoiceStats');
  });
  keep('OverdueInvoicesListed', 'one-overdue', () => account.call('listOverdueInvoices'));
}

function collectPayment(session: Session): void {
  const account = openAccount(session, '2026-04-01T08:00:00Z');
  const { keep } = account;
  const body = session.requests['NewPaymentLink']?.['in-euros'];
  keep('PaymentLinkCreated', 'created', () => account.call('createPaymentLink', { body }));
  keep('PaymentLinksListed', 'page', () => {
    account.moveTo(Date.parse('2026-04-02T09:30:00Z'));
    payLink(account.own, 1, { method: methodLike('card', session.profile) });
    return account.call('listPaymentLinks');
  });
  keep('PaymentsListed', 'page', () => account.call('listPayments'));
  account.keepEvents('PaymentEvent', ['payment.succeeded']);
}

function holdDeposit(session: Session): void {
  const { profile, requests } = session;
  const account = openAccount(session, '2026-07-08T10:00:00Z');
  const { keep } = account;
  const body = requests['NewDeposit']?.['booking'];
  keep('DepositCreated', 'created', () => account.call('createDeposit', { body }));
  keep('DepositsListed', 'page', () => account.call('listDeposits'));
  const id = account.own.deposits.rows.at(0)?.id ?? '';
  // A link or an authorization that lasts less long is used earlier.
  const expiry = profile['deposit.link-expiry'];
  const authorizedAt = Date.parse('2026-07-08T10:00:00Z') + Math.min(1.5 * hour, lasting(expiry) / 2);
  const window = authorizationWindow(profile);
  keep('DepositRead', 'authorized', () => {
    account.moveTo(authorizedAt);
    authorizeDeposit(account.own, id);
    return account.call('getDeposit', { id });
  });
  keep('DepositCaptured', 'captured-in-part', () => {
    account.moveTo(authorizedAt + Math.min(100 * hour, window * 0.6));
    return account.call('captureDeposit', { id, body: requests['Capture']?.['part'] });
  });
  keep('DepositReleased', 'released', () => {
    account.moveTo(authorizedAt + Math.min(144 * hour, window * 0.9));
    return account.call('releaseDeposit', { id });
  });
  account.keepEvents('DepositEvent', ['deposit.created', 'deposit.partially_captured']);
}

function newInvoice({ requests }: Session): unknown {
  return requests['NewInvoice']?.['two-items'];
}

function lasting(expiry: Profile['deposit.link-expiry']): number {
  return typeof expiry === 'string' ? Number.POSITIVE_INFINITY : expiry.after;
}

/** The method, or the first that there is. */
function methodLike(method: string, profile: Profile): string | undefined {
  const allowed = paymentMethods(profile);
  return allowed.includes(method) ? method : allowed[0];
}

interface ExampleAccount {
  readonly own: Account;
  call(id: OperationId, request?: { id?: number | string; body?: unknown }): unknown;
  moveTo(moment: number): void;
  /** Keeps an answer as an example, unless the service refuses the request. */
  keep(response: string, example: string, answer: () => unknown): void;
  /** Keeps the messages of these events as examples. */
  keepEvents(body: string, events: readonly EventName[]): void;
}

/** An account with one customer, no other records, and a frozen clock. */
function openAccount(session: Session, now: string): ExampleAccount {
  const { api, profile, responses, events } = session;
  const views = createViews({ url: 'http://127.0.0.1:4010' });
  const accounts = new Accounts(new PendingCommits(unstored, () => undefined), {
    ports: isolated(views),
    secret: () => 'example',
    resolveProfile: () => profile,
  });
  const { account: own } = accounts.create({ id: defaultAccount, seed, now, randomSeed: 'examples' });
  const routes = createRoutes(views, accounts);
  const run = <Id extends OperationId>(operation: Operation<Id>, id: number | string, body: unknown): unknown => {
    own.schedule.runDueItems();
    const answer = routes[operation.id]({
      account: own,
      api,
      status: operation.status,
      id,
      query: validateQuery(operation, new URLSearchParams(), profile),
      body: validated(operation.validateBody, structuredClone(body)),
      idempotencyKey: undefined,
    });
    return parseJson(answer.body);
  };
  return {
    own,
    call: (id, request = {}) => run(api.operation(id), request.id ?? '', request.body ?? {}),
    moveTo: (moment) => own.schedule.freezeAt(Math.floor(moment / second) * second),
    keep(response, example, answer) {
      const examples = responses[response] ?? {};
      responses[response] = examples;
      try {
        examples[example] = answer();
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    },
    keepEvents(body, names) {
      events[body] = Object.fromEntries(
        names.flatMap((name) => {
          const message = [...own.deliveries.rows].find(({ event }) => event === name);
          return message ? [[name, parseJson(message.body)]] : [];
        }),
      );
    },
  };
}

const seed: Seed = {
  currency: 'EUR',
  time_zone: 'UTC',
  customers: [
    {
      id: 1,
      name: 'Ada Lovelace',
      email: 'ada@analytical-engines.example',
      company: 'Analytical Engines Ltd',
      phone: '+44 20 7946 0018',
      address: "12 St James's Square",
      city: 'London',
      postal_code: 'SW1Y 4JH',
      country: 'GB',
      currency: null,
    },
  ],
  invoices: [],
  payment_links: [],
  payments: [],
  deposits: [],
};

const stored = Promise.resolve();
const notSaved = async (): Promise<never> => {
  throw new Error('the session of the examples saves no snapshots');
};
const unstored = {
  load: async function* () {},
  begin: () => stored,
  append: () => stored,
  saveContents: notSaved,
  readContents: notSaved,
  close: () => stored,
};

/** Nothing leaves the session. */
function isolated(views: Views): Ports {
  const unused = async (): Promise<never> => {
    throw new Error('the session of the examples sends nothing');
  };
  return {
    clock: { now: () => 0, setTimer: () => () => undefined },
    webhookUrlProblem: () => undefined,
    sendWebhook: unused,
    applyMessageFaults: unused,
    sendMail: undefined,
    presentation: {
      deposit: views.deposit,
      payment: views.paymentRow,
      reminder: () => ({ to: '', subject: '', text: '', html: '' }),
    },
    scenarios: [],
  };
}
