import TinyQueue from 'tinyqueue';
import type { AgendaItem } from '../../domain/agenda-item.js';
import { Fifo } from '../../lib/queues.js';
import type { AccountState } from '../state/account-state.js';
import { dueTimes } from '../state/apply-changes.js';

/** The agenda items of one point in time. */
interface TimeSlot {
  readonly at: number;
  readonly items: Fifo<AgendaItem>;
  /** False if the items must be sorted before the next one is taken. */
  isSorted: boolean;
  /** True once an item has been taken. Items planned afterwards are consequences, and run last. */
  isStarted: boolean;
}

function byTime(a: { readonly at: number }, b: { readonly at: number }): number {
  return a.at - b.at;
}

/**
 * Agenda of an account: what is due when, sorted by time. If some of the items due at a time have already run, items
 * that are planned for that time afterwards come last. The agenda is a heap of times, each with a queue of items, since
 * many items are often due at the same time.
 */
export class Agenda {
  readonly #heap = new TinyQueue<TimeSlot>([], byTime);
  readonly #slots = new Map<number, TimeSlot>();
  readonly #compare: (a: AgendaItem, b: AgendaItem) => number;

  /** @param compare compares items due at the same time; equal items stay in the order in which they were planned */
  constructor(compare: (a: AgendaItem, b: AgendaItem) => number) {
    this.#compare = compare;
  }

  plan(item: AgendaItem): void {
    const slot = this.#add(item);
    // Once the first item has run, new ones stay at the end.
    slot.isSorted = slot.isStarted || slot.items.size === 1;
  }

  /** Plans an item again, because its changes were undone. It gets its original place among the items due then. */
  planAgain(item: AgendaItem): void {
    const slot = this.#add(item);
    slot.isStarted = false;
    slot.isSorted = false;
  }

  /** Adds an item to the end of its time slot. */
  #add(item: AgendaItem): TimeSlot {
    let slot = this.#slots.get(item.at);
    if (!slot) {
      slot = { at: item.at, items: new Fifo(), isSorted: true, isStarted: false };
      this.#slots.set(item.at, slot);
      this.#heap.push(slot);
    }
    slot.items.push(item);
    return slot;
  }

  /** Time of the next item; undefined if the agenda is empty. */
  get nextAt(): number | undefined {
    return this.#heap.peek()?.at;
  }

  /** Removes the next item and returns it. */
  takeNext(): AgendaItem | undefined {
    const slot = this.#heap.peek();
    if (!slot) return undefined;
    this.#sort(slot);
    slot.isStarted = true;
    const item = slot.items.shift();
    if (slot.items.size === 0) {
      this.#heap.pop();
      this.#slots.delete(slot.at);
    }
    return item;
  }

  /** Yields all items in order. The order is computed lazily, for callers that need only the first ones. */
  *items(): Generator<AgendaItem> {
    const { data } = this.#heap;
    // In a heap, no child is due before its parent: the next slot is the root, or a child of a slot that was already
    // yielded.
    const candidates = new TinyQueue<{ readonly at: number; readonly slot: TimeSlot; readonly position: number }>(
      [],
      byTime,
    );
    const addCandidate = (position: number): void => {
      const slot = data[position];
      if (slot) candidates.push({ at: slot.at, slot, position });
    };
    addCandidate(0);
    for (let next = candidates.pop(); next; next = candidates.pop()) {
      this.#sort(next.slot);
      yield* next.slot.items;
      addCandidate(2 * next.position + 1);
      addCandidate(2 * next.position + 2);
    }
  }

  /** Sorts the items due at a time when they are needed, since sorting again with each planned item would be slow. */
  #sort(slot: TimeSlot): void {
    if (!slot.isSorted) slot.items.sort(this.#compare);
    slot.isSorted = true;
  }
}

/** The position of each kind in `dueTimes`, which lists the kinds in the order in which they run. */
const ranks: ReadonlyMap<string, number> = new Map(Object.keys(dueTimes).map((kind, rank) => [kind, rank]));

/**
 * Compares two items that are due at the same time: by kind, then by the creation of their rows. The order does not
 * depend on when the items were planned, since a restart, a restore and a change to the profile plan all items again.
 */
export function compareItems(state: AccountState, a: AgendaItem, b: AgendaItem): number {
  if (a.kind !== b.kind) return (ranks.get(a.kind) ?? 0) - (ranks.get(b.kind) ?? 0);
  if (a.kind === 'delivery-attempt') return compareDeliveries(state, a.id, b.id);
  const rows = dueTimes[a.kind].rowsOf(state);
  // Only stored responses have no position: the order in which they expire makes no difference.
  return rows.positionOf ? rows.positionOf(a.id) - rows.positionOf(b.id) : 0;
}

/** Orders messages by their creation, except that an overtaken one comes after the message that overtook it. */
function compareDeliveries(
  { deliveries, reorderedDeliveries }: AccountState,
  a: AgendaItem['id'],
  b: AgendaItem['id'],
): number {
  // A message and those that it overtakes form a group, which has the position of the overtaking message.
  const orderOf = (id: AgendaItem['id']): readonly [group: number, isOvertaken: number, position: number] => {
    const overtaker = reorderedDeliveries.overtakerOf(String(id));
    const position = deliveries.positionOf(id);
    return overtaker ? [deliveries.positionOf(overtaker.id), 1, position] : [position, 0, position];
  };
  const [groupOfA, isAOvertaken, positionOfA] = orderOf(a);
  const [groupOfB, isBOvertaken, positionOfB] = orderOf(b);
  return groupOfA - groupOfB || isAOvertaken - isBOvertaken || positionOfA - positionOfB;
}
