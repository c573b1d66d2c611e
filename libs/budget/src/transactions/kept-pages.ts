import { Injectable } from '@nestjs/common';

/** What all kept pages may take, in characters. */
const KEPT_LENGTH_MAX = 8 * 1024 * 1024;
const SHELVES_MAX = 10_000;

/** An answer as JSON. */
export interface KeptPage {
  readonly body: string;
  /** Of a month. */
  readonly revision?: number;
  /** Ids of the users whose names are in it, and the names: users change theirs without changing a household. */
  readonly users: readonly string[];
  readonly names: ReadonlyMap<string, string>;
}

/** The kept pages of one household, by what was asked. */
type Shelf = Map<string, KeptPage>;

/**
 * First pages of lists of transactions, and months, kept until the household changes (ADR 25): to make one takes longer
 * than all else that a request for it does. Only the one process that writes a household may keep its pages.
 */
@Injectable()
export class KeptPages {
  private readonly shelves = new Map<string, Shelf>();
  private length = 0;

  constructor(private readonly lengthMax: number = KEPT_LENGTH_MAX) {}

  /** Where pages are found and kept. To be taken before anything is read: a change gives the household another one. */
  shelf(householdId: string): Shelf {
    const shelf = this.shelves.get(householdId) ?? new Map<string, KeptPage>();
    this.shelves.delete(householdId);
    this.shelves.set(householdId, shelf);
    if (this.shelves.size > SHELVES_MAX) this.forgetOldest();
    return shelf;
  }

  /** Keeps a page, if the household has not changed since its shelf was taken; gives up those used longest ago. */
  keep(householdId: string, shelf: Shelf, asked: string, page: KeptPage): void {
    if (this.shelves.get(householdId) !== shelf) return;
    this.length += page.body.length - (shelf.get(asked)?.body.length ?? 0);
    shelf.set(asked, page);
    while (this.length > this.lengthMax) this.forgetOldest();
  }

  /** To be called before the first document of a household is written, and after the last, also if that failed. */
  readonly forget = (householdId: string): void => {
    for (const { body } of this.shelves.get(householdId)?.values() ?? []) this.length -= body.length;
    this.shelves.delete(householdId);
  };

  private forgetOldest(): void {
    const [oldest] = this.shelves.keys();
    if (oldest !== undefined) this.forget(oldest);
  }
}
