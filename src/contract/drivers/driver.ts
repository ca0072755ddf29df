/** A record as the target returned it in `data`. */
export type TargetRecord = Readonly<Record<string, unknown>>;

/** A customer that a driver has created, with the fields that it set. The suite expects these fields in invoices. */
export interface DriverCustomer {
  readonly id: number | bigint;
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly company?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly address?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly postal_code?: string | null | undefined;
  readonly country?: string | null | undefined;
}

/**
 * Performs actions for which the API of the target has no operation. A method that acts on a record receives it as the
 * target returned it in `data`. If a method is missing, the clauses that need it are skipped, and their results name
 * the method.
 */
export interface Driver {
  /** Creates and returns a customer, for whom the suite creates invoices. Only the id, an integer, is required. */
  createCustomer?(): Promise<DriverCustomer>;
  /** Marks an invoice as paid in full. */
  markInvoicePaid?(invoice: TargetRecord): Promise<unknown>;
  /** Pays a payment link, as a customer would. */
  payLink?(link: TargetRecord): Promise<unknown>;
  /** Authorizes a deposit, as its guest would. */
  authorizeDeposit?(deposit: TargetRecord): Promise<unknown>;
  /** Makes the guest's attempt to authorize a deposit fail: the card is declined. */
  declineDeposit?(deposit: TargetRecord): Promise<unknown>;
  /** Makes the authorization of a deposit expire immediately. */
  expireDeposit?(deposit: TargetRecord): Promise<unknown>;
  /** Makes the target send webhooks to a URL, signed with a secret. */
  configureWebhook?(webhook: { readonly url: string; readonly secret: string }): Promise<unknown>;
  /** Rotates the webhook secret and returns the new one, which is not empty. */
  rotateWebhookSecret?(): Promise<{ readonly secret: string }>;
  /**
   * Sends the last webhook about a deposit again, as a retry would. If this method is missing, nothing is skipped: the
   * suite waits until the target itself sends the webhook again.
   */
  resendWebhook?(deposit: TargetRecord): Promise<unknown>;
  /** Releases the driver's resources at the end of the run. */
  close?(): Promise<unknown>;
}

/**
 * A driver method with any parameter. The type is taken from a method declaration because TypeScript checks parameters
 * of methods less strictly than those of functions: a driver's method may then declare a narrower parameter than
 * `object`, such as `TargetRecord`.
 */
export type LoadedMethod = { act(argument?: object): unknown }['act'];

/**
 * A driver created by a module or factory. Its methods are known to be functions; their parameters and results are not
 * checked.
 */
export type LoadedDriver = { readonly [Method in keyof Driver]: LoadedMethod | undefined };

/** The target for which a driver is created. */
export interface DriverOptions {
  /** Base URL including the version prefix. */
  readonly baseUrl: string;
  /** Token with both scopes. */
  readonly token: string;
}

/** Creates a driver; the default export of a driver module. */
export type DriverFactory = (options: DriverOptions) => Driver | Promise<Driver>;

/** Name of a method that performs an action on the target. */
export type DriverMethod = Exclude<keyof Driver, 'close'>;

/** All methods except `close`. */
export const driverMethods: readonly DriverMethod[] = [
  'createCustomer',
  'markInvoicePaid',
  'payLink',
  'authorizeDeposit',
  'declineDeposit',
  'expireDeposit',
  'configureWebhook',
  'rotateWebhookSecret',
  'resendWebhook',
];

/** The driver itself failed, which says nothing about the target. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
  /** True if a driver method timed out. */
  readonly isTimeout: boolean;

  constructor(message: string, { isTimeout = false } = {}) {
    super(message);
    this.isTimeout = isTimeout;
  }
}
