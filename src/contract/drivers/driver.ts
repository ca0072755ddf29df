/** A record as the target has returned it in `data`. */
export type TargetRecord = Readonly<Record<string, unknown>>;

/**
 * Actions on a target that the API does not offer. Each method receives a record as the target returned it in `data`.
 * Clauses that need a missing method are skipped with its name.
 */
export interface Driver {
  /** Creates a customer to invoice. */
  createCustomer?(): Promise<{ readonly id: number | bigint }>;
  /** Marks an invoice as paid in full. */
  markInvoicePaid?(invoice: TargetRecord): Promise<unknown>;
  /** Pays a payment link as a customer does. */
  payLink?(link: TargetRecord): Promise<unknown>;
  /** Authorizes a deposit as its guest does. */
  authorizeDeposit?(deposit: TargetRecord): Promise<unknown>;
  /** Declines the card of the guest. */
  declineDeposit?(deposit: TargetRecord): Promise<unknown>;
  /** Ends the authorization window of a deposit. */
  expireDeposit?(deposit: TargetRecord): Promise<unknown>;
  /** Sends webhooks to a URL, signed with a secret. */
  configureWebhook?(webhook: { readonly url: string; readonly secret: string }): Promise<unknown>;
  /** Rotates the webhook secret and returns the new one. */
  rotateWebhookSecret?(): Promise<{ readonly secret: string }>;
  /** Frees what the driver holds, at the end of the run. */
  close?(): Promise<unknown>;
}

/** A method of a loaded driver, with unchecked arguments and result. */
type LoadedMethod = { act(argument?: object): unknown }['act'];

/** A loaded driver. Its methods are known to be functions; their types are not. */
export type LoadedDriver = { readonly [Method in keyof Driver]: LoadedMethod | undefined };

/** The target that a driver is made for. */
export interface DriverOptions {
  /** Base URL including the version prefix. */
  readonly baseUrl: string;
  /** Token with both scopes. */
  readonly token: string;
}

/** Makes a driver; the default export of a driver module. */
export type DriverFactory = (options: DriverOptions) => Driver | Promise<Driver>;

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
];

/** The driver itself failed, which says nothing about the target. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
  /** Whether it timed out. */
  readonly isTimeout: boolean;

  constructor(message: string, isTimeout = false) {
    super(message);
    this.isTimeout = isTimeout;
  }
}
