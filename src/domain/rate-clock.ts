/** Machine time is taken in whole minutes, so that a clock that stands still gives the same headers for a while. */
const minute = 60_000;

/**
 * The time by which rate windows run: that of the account, and no slower than that of the machine. Under a frozen clock a
 * client that waits for as long as `Retry-After` says gets on, too, and one that advances the clock need not wait.
 */
export class RateClock {
  #account: number;
  #machine: number;
  #now: number;

  /**
   * @param account milliseconds since 1970 by the clock of the account
   * @param machine milliseconds since 1970 by that of the machine
   */
  constructor(account: number, machine: number) {
    this.#account = account;
    this.#machine = machine;
    this.#now = account;
  }

  /** Goes on to a later moment. @returns milliseconds since 1970 by this clock */
  moveTo(account: number, machine: number): number {
    const byAccount = Math.max(0, account - this.#account);
    const byMachine = Math.floor(Math.max(0, machine - this.#machine) / minute) * minute;
    const passed = Math.max(byAccount, byMachine);
    this.#now += passed;
    this.#account = account;
    // What is left of a minute counts next time, but no minute counts twice.
    this.#machine = Math.min(machine, this.#machine + passed);
    return this.#now;
  }
}
