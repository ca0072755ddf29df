import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import type { Seed } from '../../src/domain/seed.js';
import { billingDocument } from '../../src/generated/billing-document.js';
import {
  type Capture,
  type Deposit,
  type DepositEvent,
  type ErrorResponse,
  type EventName,
  type Invoice,
  type InvoiceDetail,
  type InvoiceStats,
  type NewDeposit,
  type NewInvoice,
  type NewPaymentLink,
  type NewSeed,
  type OverdueInvoice,
  type Payment,
  type PaymentEvent,
  type PaymentLink,
  type PaymentLinkRow,
  type paths,
  type SeedCustomer,
  type SeedDeposit,
  type SeedInvoice,
  type SeedPayment,
  type SeedPaymentLink,
  type ServiceRecord,
  type Simulator,
  startSimulator,
  type Webhook,
  type WebhookPayload,
} from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { compileSchema } from '../support/document-schemas.js';

/** JSON types of the request and the responses of an operation, in the types that openapi-typescript generates. */
type JsonOf<Message> = Message extends { content: { 'application/json': infer Json } } ? Json : never;
type RequestOf<Operation> = Operation extends { requestBody?: infer Body } ? JsonOf<Body> : never;
type ResponseOf<Operation, Status extends number> = Operation extends { responses: Record<Status, infer Response> }
  ? JsonOf<Response>
  : never;
type DataOf<Operation, Status extends number = 200> =
  ResponseOf<Operation, Status> extends { data: infer Data } ? Data : never;

// The compiler checks the next four tests, which do nothing at run time.
test('the records of a new seed have the fields of a seed, some of which may be omitted', () => {
  expectTypeOf<Seed>().toExtend<NewSeed>();
  expectTypeOf<keyof NewSeed>().toEqualTypeOf<keyof Seed>();
  expectTypeOf<keyof SeedCustomer>().toEqualTypeOf<keyof Seed['customers'][number]>();
  expectTypeOf<keyof SeedInvoice>().toEqualTypeOf<keyof Seed['invoices'][number]>();
  expectTypeOf<keyof SeedPaymentLink>().toEqualTypeOf<keyof Seed['payment_links'][number]>();
  expectTypeOf<keyof SeedPayment>().toEqualTypeOf<keyof Seed['payments'][number]>();
  expectTypeOf<keyof SeedDeposit>().toEqualTypeOf<keyof Seed['deposits'][number]>();
});

test('each exported type equals the type in the request or response of its operation', () => {
  expectTypeOf<Deposit>().toEqualTypeOf<DataOf<paths['/deposits/{id}']['get']>>();
  expectTypeOf<Deposit>().toEqualTypeOf<DataOf<paths['/deposits']['get']>['data'][number]>();
  expectTypeOf<NewDeposit>().toEqualTypeOf<RequestOf<paths['/deposits']['post']>>();
  expectTypeOf<Capture>().toEqualTypeOf<RequestOf<paths['/deposits/{id}/capture']['post']>>();
  expectTypeOf<InvoiceDetail>().toEqualTypeOf<DataOf<paths['/invoices/{invoice}']['get']>>();
  expectTypeOf<Invoice>().toEqualTypeOf<DataOf<paths['/invoices']['get']>['data'][number]>();
  expectTypeOf<Invoice>().toEqualTypeOf<DataOf<paths['/invoices']['post'], 201>>();
  expectTypeOf<OverdueInvoice>().toEqualTypeOf<DataOf<paths['/invoices/overdue']['get']>[number]>();
  expectTypeOf<InvoiceStats>().toEqualTypeOf<DataOf<paths['/invoices/stats']['get']>>();
  expectTypeOf<NewInvoice>().toEqualTypeOf<RequestOf<paths['/invoices']['post']>>();
  expectTypeOf<PaymentLink>().toEqualTypeOf<DataOf<paths['/payment-links']['post'], 201>>();
  expectTypeOf<PaymentLinkRow>().toEqualTypeOf<DataOf<paths['/payment-links']['get']>['data'][number]>();
  expectTypeOf<NewPaymentLink>().toEqualTypeOf<RequestOf<paths['/payment-links']['post']>>();
  expectTypeOf<Payment>().toEqualTypeOf<DataOf<paths['/payments']['get']>['data'][number]>();
  expectTypeOf<ErrorResponse>().toEqualTypeOf<ResponseOf<paths['/deposits/{id}']['get'], 404>>();
});

test('the event of a webhook payload tells whether its data is a payment or a deposit', () => {
  expectTypeOf<Exclude<WebhookPayload, PaymentEvent>>().toEqualTypeOf<DepositEvent>();
  expectTypeOf<WebhookPayload['event']>().toEqualTypeOf<EventName>();
  expectTypeOf<Extract<WebhookPayload, { event: 'payment.succeeded' }>['data']>().toEqualTypeOf<Payment>();
  expectTypeOf<DepositEvent['data']>().toEqualTypeOf<Deposit>();
});

test('the type of a result that differs between profiles has only what all profiles have in common', () => {
  expectTypeOf<Webhook['payload']>().toEqualTypeOf<unknown>();
  expectTypeOf<ServiceRecord['id']>().toEqualTypeOf<number | string>();
  expectTypeOf<ServiceRecord['status']>().toEqualTypeOf<string | undefined>();
});

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z' });
});
afterAll(() => simulator.close());

test('under the default profile, records and webhook payloads match the schemas of their types', async () => {
  const account = await simulator.createAccount();
  const { deposits, invoices, paymentLinks, webhooks } = account;
  const client = clientOf(account.baseUrl, account.tokens.full);
  const customer = await account.customers.create({ name: 'Ada Lovelace', email: 'ada@example.com' });
  const deposit = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 300 } });
  const link = await client.POST('/payment-links', { body: { description: 'BK-1', amount: 20 } });
  const invoice = await client.POST('/invoices', {
    body: {
      customer_id: customer.id,
      date: '2026-03-01',
      due_date: '2026-03-31',
      items: [{ description: 'Night', quantity: 1, unit_price: 90 }],
    },
  });
  const recordsBySchema: Record<string, unknown> = {
    Deposit: await deposits.authorize(Number(deposit.data?.data.id)),
    Payment: await paymentLinks.pay(Number(link.data?.data.id)),
    InvoiceDetail: await invoices.send(Number(invoice.data?.data.id)),
    DepositEvent: (await webhooks.next('deposit.authorized')).payload,
    PaymentEvent: (await webhooks.next('payment.succeeded')).payload,
  };
  for (const [name, record] of Object.entries(recordsBySchema)) {
    const validate = compileSchema(billingDocument, { $ref: `#/components/schemas/${name}` });
    validate(record);
    expect(validate.errors, name).toBeNull();
  }
});
