import type { Adjustment, Ulid } from './events.js';
import type { Amount } from './money.js';

/** An item in one month. */
export interface LaidItem {
  readonly planned: Amount;
  readonly note: string | null;
  readonly adjustments: readonly Adjustment[];
  /** Splits of expenses minus splits of incomes, over the month's transactions that are not deleted. */
  readonly activity: Amount;
  /** What the fund brings into this month; null where the item is no fund in this month. */
  readonly carryIn: Amount | null;
}

/** Where each item of a month stands, shared by all versions of it that have the same items. */
interface Places {
  readonly ids: readonly Ulid[];
  readonly byId: ReadonlyMap<Ulid, number>;
}

/** The items of a month by id, in the order in which they came into it. */
export type LaidItems = Omit<DraftLaidItems, 'set' | 'delete' | 'replace'>;

/**
 * The items of a month that is being folded.
 *
 * Nearly every event changes one item of a month with dozens and leaves which ones there are as it was. So a version
 * has a list of its own, copied at once, and shares the ids with the one it came from, where a map would be filled anew
 * for each; and two versions are compared without looking anything up.
 */
export class DraftLaidItems implements Iterable<readonly [Ulid, LaidItem]> {
  /**
   * Room for what `figures.ts`, which alone uses it, makes of this version; forgotten when that changes. A `WeakMap` would
   * do as well, but what is put into one outlives garbage collections that most versions do not.
   */
  #derived: object | null = null;

  private constructor(
    private places: Places,
    private laid: LaidItem[],
  ) {}

  /** @param entries each id once */
  static of(entries: Iterable<readonly [Ulid, LaidItem]> = []): DraftLaidItems {
    const items = new DraftLaidItems(NOWHERE, []);
    items.replace([...entries]);
    return items;
  }

  /** One that may be changed without changing this one. */
  copy(): DraftLaidItems {
    return new DraftLaidItems(this.places, this.laid.slice());
  }

  get size(): number {
    return this.laid.length;
  }

  has(id: Ulid): boolean {
    return this.places.byId.has(id);
  }

  get(id: Ulid): LaidItem | undefined {
    const place = this.places.byId.get(id);
    return place === undefined ? undefined : this.laid[place];
  }

  /** In the order in which they came in, as `values` and the iteration are. */
  keys(): Iterable<Ulid> {
    return this.places.ids;
  }

  values(): Iterable<LaidItem> {
    return this.laid;
  }

  *[Symbol.iterator](): Generator<readonly [Ulid, LaidItem], void, undefined> {
    for (const [place, id] of this.places.ids.entries()) yield [id, this.laid[place]!];
  }

  /**
   * The items that are not the same object as in another version of the month.
   * @returns null where the other one may have other items
   */
  changedSince(other: LaidItems): readonly Ulid[] | null {
    const { places, laid } = other as DraftLaidItems;
    if (places !== this.places) return null;
    return this.places.ids.filter((_, place) => this.laid[place] !== laid[place]);
  }

  /** What `derive` was told of this version; null where nothing was, or an item has changed since. */
  get derived(): object | null {
    return this.#derived;
  }

  /** Keeps what was made of this version until it changes; copies begin without it. */
  derive(made: object): void {
    this.#derived = made;
  }

  /** A new item comes last. */
  set(id: Ulid, laid: LaidItem): void {
    this.#derived = null;
    const place = this.places.byId.get(id);
    if (place !== undefined) this.laid[place] = laid;
    else {
      this.places = placesOf([...this.places.ids, id]);
      this.laid.push(laid);
    }
  }

  /** Does nothing where the item is not there. */
  delete(id: Ulid): void {
    const place = this.places.byId.get(id);
    if (place === undefined) return;
    this.#derived = null;
    this.places = placesOf(this.places.ids.filter(other => other !== id));
    this.laid.splice(place, 1);
  }

  /** Holds other items from here on. @param entries each id once */
  replace(entries: readonly (readonly [Ulid, LaidItem])[]): void {
    this.#derived = null;
    this.places = placesOf(entries.map(([id]) => id));
    this.laid = entries.map(([, laid]) => laid);
  }
}

const NOWHERE: Places = { ids: [], byId: new Map() };

function placesOf(ids: readonly Ulid[]): Places {
  return { ids, byId: new Map(ids.map((id, place) => [id, place])) };
}
