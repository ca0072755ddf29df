import type { OpenAPIV3_1 } from 'openapi-types';
import { defaultAccountId } from '../../domain/defaults.js';
import { authorizationWindow } from '../../domain/deposit-lifecycle.js';
import { maximumAmount } from '../../domain/money.js';
import { paymentMethods } from '../../domain/payment-lifecycle.js';
import type { EventName } from '../../domain/records.js';
import type { Seed } from '../../domain/seed.js';
import { ServiceError } from '../../domain/service-error.js';
import type { OperationId } from '../../generated/billing-document.js';
import { hourMs, secondMs } from '../../lib/durations.js';
import { isRecord, memberOf, parseJson } from '../../lib/json.js';
import { resolveReference } from '../../lib/references.js';
import type { Api } from '../../openapi/document.js';
import type { Profile } from '../../openapi/profile.js';
import type { Account } from '../../simulation/account.js';
import { Accounts } from '../../simulation/accounts.js';
import { authorizeDeposit } from '../../simulation/operations/deposits.js';
import { createInvoicePayment, createLinkPayment } from '../../simulation/operations/payments.js';
import type { Ports } from '../../simulation/state/account-state.js';
import { PendingCommits } from '../../simulation/state/pending-commits.js';
import { callRoute } from '../service/call-route.js';
import { createRoutes } from '../service/routes.js';
import { Views } from '../service/views.js';
import { fitBody, scaleDownAmounts } from './fitting-bodies.js';

/** Examples by the name of their response or request body, then by the name of the example. */
export type ExampleSet = Record<string, Record<string, unknown>>;

/** The examples of a document. */
export interface Examples {
  readonly requests: ExampleSet;
  readonly responses: ExampleSet;
  readonly events: ExampleSet;
}

/**
 * Records the responses and webhooks of a service with this profile in a short session: sends the example bodies of the
 * document to an account in memory. A request that the profile refuses has no example.
 */
export function examplesOf(api: Api, profile: Profile): Examples {
  const requests = requestExamples(api, profile);
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

/** Upper limit of the amounts in the document's examples, and of their sum. */
const maxExampleSum = 2_000;

/** The examples of request bodies in the document, adapted to the profile. */
function requestExamples({ document, operations }: Api, profile: Profile): ExampleSet {
  const set: ExampleSet = {};
  for (const { path, method, validateBody } of operations) {
    const body = document.paths?.[path]?.[method]?.requestBody;
    if (!body || !('$ref' in body)) continue;
    const name = body.$ref.slice('#/components/requestBodies/'.length);
    const fittedExamples: Record<string, unknown> = {};
    for (const [example, value] of Object.entries(bodyExamples(document, body))) {
      const fitted = fitBody(scaleDownAmounts(value, maximumAmount(profile) / maxExampleSum), validateBody);
      if (fitted !== undefined) fittedExamples[example] = fitted;
    }
    set[name] = fittedExamples;
  }
  return set;
}

function bodyExamples(document: OpenAPIV3_1.Document, body: OpenAPIV3_1.ReferenceObject): Record<string, unknown> {
  const examples =
    resolveReference<OpenAPIV3_1.RequestBodyObject>(document.components?.requestBodies, body).content[
      'application/json'
    ]?.examples ?? {};
  return Object.fromEntries(
    Object.entries(examples).flatMap(([name, example]) => ('value' in example ? [[name, example.value]] : [])),
  );
}

function billInvoices(session: Session): void {
  const recorder = openRecorder(session, '2026-03-31T10:00:00Z');
  const { keep } = recorder;
  keep('InvoiceCreated', 'created', () => recorder.call('createInvoice', { body: newInvoice(session) }));
  keep('InvoicesListed', 'page', () => recorder.call('listInvoices'));
  keep('ReminderSent', 'sent', () => recorder.call('sendInvoiceReminder', { id: 1 }));
  keep('InvoiceRead', 'partly-paid', () => {
    recorder.freezeClockAt(Date.parse('2026-04-10T09:15:00Z'));
    const half = Math.floor((recorder.account.invoices.get(1)?.amount ?? 0) * 50) / 100;
    createInvoicePayment(recorder.account, 1, {
      amount: half,
      method: allowedMethod('bank_transfer', session.profile),
    });
    return recorder.call('getInvoice', { id: 1 });
  });
}

/** Records responses about three invoices: one is overdue, one is not due yet, and one is paid. */
function summarizeInvoices(session: Session): void {
  const recorder = openRecorder(session, '2026-03-31T10:00:00Z');
  const { keep } = recorder;
  keep('InvoiceStatsRead', 'statistics', () => {
    const body = newInvoice(session);
    recorder.call('createInvoice', { body });
    const items = memberOf(body, 'items');
    const laterInvoice = {
      ...(isRecord(body) ? body : {}),
      items: Array.isArray(items) ? items.slice(-1) : [],
      date: '2026-04-30',
      due_date: '2026-05-30',
    };
    recorder.call('createInvoice', { body: laterInvoice });
    recorder.call('createInvoice', { body: laterInvoice });
    createInvoicePayment(recorder.account, 3, {});
    recorder.freezeClockAt(Date.parse('2026-05-12T10:00:00Z'));
    return recorder.call('getInvoiceStats');
  });
  keep('OverdueInvoicesListed', 'one-overdue', () => recorder.call('listOverdueInvoices'));
}

function collectPayment(session: Session): void {
  const recorder = openRecorder(session, '2026-04-01T08:00:00Z');
  const { keep } = recorder;
  const body = session.requests['NewPaymentLink']?.['in-euros'];
  keep('PaymentLinkCreated', 'created', () => recorder.call('createPaymentLink', { body }));
  keep('PaymentLinksListed', 'page', () => {
    recorder.freezeClockAt(Date.parse('2026-04-02T09:30:00Z'));
    createLinkPayment(recorder.account, 1, { method: allowedMethod('card', session.profile) });
    return recorder.call('listPaymentLinks');
  });
  keep('PaymentsListed', 'page', () => recorder.call('listPayments'));
  recorder.keepEvents('PaymentEvent', ['payment.succeeded']);
}

function holdDeposit(session: Session): void {
  const { profile, requests } = session;
  const recorder = openRecorder(session, '2026-07-08T10:00:00Z');
  const { keep } = recorder;
  const body = requests['NewDeposit']?.['booking'];
  keep('DepositCreated', 'created', () => recorder.call('createDeposit', { body }));
  keep('DepositsListed', 'page', () => recorder.call('listDeposits'));
  const id = recorder.account.deposits.rows.at(0)?.id ?? '';
  // The deposit is authorized after 1.5 hours; captured 100 hours, and released 144 hours, after the authorization. All
  // happen sooner if the profile lets links or authorizations expire before that.
  const expiry = profile['deposit.link-expiry'];
  const authorizedAt = Date.parse('2026-07-08T10:00:00Z') + Math.min(1.5 * hourMs, linkLifetimeMs(expiry) / 2);
  const windowMs = authorizationWindow(profile);
  keep('DepositRead', 'authorized', () => {
    recorder.freezeClockAt(authorizedAt);
    authorizeDeposit(recorder.account, id);
    return recorder.call('getDeposit', { id });
  });
  keep('DepositCaptured', 'captured-in-part', () => {
    recorder.freezeClockAt(authorizedAt + Math.min(100 * hourMs, windowMs * 0.6));
    return recorder.call('captureDeposit', { id, body: requests['Capture']?.['part'] });
  });
  keep('DepositReleased', 'released', () => {
    recorder.freezeClockAt(authorizedAt + Math.min(144 * hourMs, windowMs * 0.9));
    return recorder.call('releaseDeposit', { id });
  });
  recorder.keepEvents('DepositEvent', ['deposit.created', 'deposit.partially_captured']);
}

function newInvoice({ requests }: Session): unknown {
  return requests['NewInvoice']?.['two-items'];
}

/** Infinite if links never expire. */
function linkLifetimeMs(expiry: Profile['deposit.link-expiry']): number {
  return typeof expiry === 'string' ? Number.POSITIVE_INFINITY : expiry.after;
}

/** Returns the payment method if the profile allows it, otherwise the first allowed method. */
function allowedMethod(method: string, profile: Profile): string | undefined {
  const allowed = paymentMethods(profile);
  return allowed.includes(method) ? method : allowed[0];
}

/** Calls operations on an account, and keeps responses and events as examples. */
interface ExampleRecorder {
  readonly account: Account;
  call(operation: OperationId, request?: { id?: number | string; body?: unknown }): unknown;
  /** Freezes the clock of the account at a time, in milliseconds since 1970. */
  freezeClockAt(time: number): void;
  /** Keeps a response as an example, unless the service refuses the request. */
  keep(response: string, example: string, respond: () => unknown): void;
  /** Keeps the messages of these events as examples. */
  keepEvents(body: string, events: readonly EventName[]): void;
}

/** Creates an account with one customer, no other records, and a frozen clock. */
function openRecorder(session: Session, now: string): ExampleRecorder {
  const { api, profile, responses, events } = session;
  const views = new Views({ url: 'http://127.0.0.1:4010' });
  const accounts = new Accounts(new PendingCommits(discardingStore, () => undefined), {
    ports: isolatedPorts(views),
    secret: () => 'example',
    resolveProfile: () => profile,
  });
  const { account } = accounts.create({ id: defaultAccountId, seed, now, randomSeed: 'examples' });
  const routes = createRoutes(views, accounts);
  return {
    account,
    call(operation, { id = '', body = {} } = {}) {
      account.schedule.runDueItems();
      return callRoute(routes, api.operation(operation), { account, id, body: structuredClone(body) });
    },
    freezeClockAt: (time) => account.schedule.freezeAt(Math.floor(time / secondMs) * secondMs),
    keep(response, example, respond) {
      const examples = responses[response] ?? {};
      responses[response] = examples;
      try {
        examples[example] = respond();
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    },
    keepEvents(body, names) {
      events[body] = Object.fromEntries(
        names.flatMap((name) => {
          const message = [...account.deliveries.rows].find(({ event }) => event === name);
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

const resolved = Promise.resolve();
const rejectSnapshot = async (): Promise<never> => {
  throw new Error('the example session saves no snapshots');
};
const discardingStore = {
  load: async function* () {},
  begin: () => resolved,
  append: () => resolved,
  saveContents: rejectSnapshot,
  readContents: rejectSnapshot,
  close: () => resolved,
};

/** Ports that send nothing out of the process. */
function isolatedPorts(views: Views): Ports {
  const rejectSending = async (): Promise<never> => {
    throw new Error('the example session sends nothing');
  };
  return {
    clock: { now: () => 0, setTimer: () => () => undefined },
    webhookUrlProblem: () => undefined,
    sendWebhook: rejectSending,
    applyMessageFaults: rejectSending,
    sendMail: undefined,
    presentation: {
      deposit: views.deposit,
      payment: views.payment,
      reminder: () => ({ to: '', subject: '', text: '', html: '' }),
    },
    scenarios: [],
    onFailure: (error) => {
      throw error;
    },
  };
}
