/** A record as the target has returned it in `data`. */
export type TargetRecord = Readonly<Record<string, unknown>>;

/**
 * Actions on a target that the API does not offer. The records handed in are the target's own `data`.
 * Clauses that need a missing method are skipped with its name.
 */
export interface Driver {
  createCustomer?(): Promise<{ readonly id: number | bigint }>;
  markInvoicePaid?(invoice: TargetRecord): Promise<unknown>;
  payLink?(link: TargetRecord): Promise<unknown>;
  authorizeDeposit?(deposit: TargetRecord): Promise<unknown>;
  declineDeposit?(deposit: TargetRecord): Promise<unknown>;
  expireDeposit?(deposit: TargetRecord): Promise<unknown>;
  configureWebhook?(webhook: { readonly url: string; readonly secret: string }): Promise<unknown>;
  /** Rotates the webhook secret and returns the new one. */
  rotateWebhookSecret?(): Promise<{ readonly secret: string }>;
  close?(): Promise<unknown>;
}

/** A method of a driver that was loaded: what it returns is known once it has returned. */
type LoadedMethod = { act(argument?: object): unknown }['act'];

/** A driver that was loaded: its methods are functions, of which nothing else is certain. */
export type LoadedDriver = { readonly [Method in keyof Driver]: LoadedMethod | undefined };

/** The target that a driver is made for. */
export interface DriverOptions {
  readonly baseUrl: string;
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
  readonly isStuck: boolean;

  constructor(message: string, isStuck = false) {
    super(message);
    this.isStuck = isStuck;
  }
}
