/*
 * Bodies of requests, responses and webhooks, by their names in the OpenAPI document. A profile other than the default
 * may leave out fields, rename them or write decimals as strings, so nothing that the library returns has these types:
 * users apply them where they know the profile.
 */
import type { components } from '../generated/billing-types.js';

/** An invoice, as in lists and in the response to its creation, under the default profile. */
export type Invoice = components['schemas']['Invoice'];
/** An invoice with its notes, transactions, subscription and the customer's address, under the default profile. */
export type InvoiceDetail = components['schemas']['InvoiceDetail'];
/** A line of an invoice, under the default profile. */
export type InvoiceItem = components['schemas']['InvoiceItem'];
/** An invoice past its due date, with a link to pay it, under the default profile. */
export type OverdueInvoice = components['schemas']['OverdueInvoice'];
/** Counts and sums of an account's invoices, under the default profile. */
export type InvoiceStats = components['schemas']['InvoiceStats'];
/** Body of a request for a new invoice, under the default profile. */
export type NewInvoice = components['schemas']['NewInvoice'];

/** A payment link, as in the response to its creation, under the default profile. */
export type PaymentLink = components['schemas']['PaymentLink'];
/** A payment link, as in lists, with the number and sum of its payments, under the default profile. */
export type PaymentLinkRow = components['schemas']['PaymentLinkRow'];
/** Body of a request for a new payment link, under the default profile. */
export type NewPaymentLink = components['schemas']['NewPaymentLink'];

/** A payment under the default profile. */
export type Payment = components['schemas']['Payment'];

/** A deposit under the default profile. */
export type Deposit = components['schemas']['Deposit'];
/** Body of a request for a new deposit, under the default profile. */
export type NewDeposit = components['schemas']['NewDeposit'];
/** Body of a request to capture a deposit, under the default profile. */
export type Capture = components['schemas']['Capture'];

/** Body of a webhook about a deposit, under the default profile. */
export type DepositEvent = components['schemas']['DepositEvent'];
/** Body of a webhook about a payment, under the default profile. */
export type PaymentEvent = components['schemas']['PaymentEvent'];
/** Body of a webhook under the default profile. Its `event` tells whether `data` is a payment or a deposit. */
export type WebhookPayload = DepositEvent | PaymentEvent;

/** Body of a response that reports an error, under the default profile. */
export type ErrorResponse = components['schemas']['Error'];
