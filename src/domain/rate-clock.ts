/** Machine time counts in whole minutes, so that the headers stay the same for a while under a frozen clock. */
const minute = 60_000;

/**
 * Time of the rate windows: the later of the account's clock and the machine's. Under a frozen clock, a client that
 * waits for `Retry-After` gets through, too; one that advances the clock need not wait.
 */
export class RateClock {
  #account: number;
  #machine: number;
  #now: number;

  /**
   * @param account milliseconds since 1970 on the clock of the account
   * @param machine milliseconds since 1970 on that of the machine
   */
  constructor(account: number, machine: number) {
    this.#account = account;
    this.#machine = machine;
    this.#now = account;
  }

  /** Advances to a later time. @returns milliseconds since 1970 on this clock */
  moveTo(account: number, machine: number): number {
    const byAccount = Math.max(0, account - this.#account);
    const byMachine = Math.floor(Math.max(0, machine - this.#machine) / minute) * minute;
    const passed = Math.max(byAccount, byMachine);
    this.#now += passed;
    this.#account = account;
    // The rest of a minute counts next time, so that no minute counts twice.
    this.#machine = Math.min(machine, this.#machine + passed);
    return this.#now;
  }
}
