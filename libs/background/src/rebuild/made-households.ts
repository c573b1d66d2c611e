import type { Documents } from '#documents/documents';
import { digestOfHousehold } from '#streams/household-making';
import type { ReadModels } from '#streams/read-models';
import { isStoreDown } from '#streams/store-failures';

/** Households of which it is remembered what was made; of others everything is compared. */
const MADE_MAX = 50_000;

/**
 * What this process made of households at once, by the very fold that a verification compares with: it need not fold
 * their events a second time where the store holds the same texts.
 */
export class MadeHouseholds {
  private readonly made = new Map<string, { readonly revision: number; readonly digest: string }>();

  constructor(
    private readonly documents: Documents,
    private readonly models: ReadModels,
  ) {}

  /** @param digest as `digestOfHousehold`, of what was made of the events up to the revision */
  remember(householdId: string, revision: number, digest: string): void {
    if (this.made.size < MADE_MAX) this.made.set(householdId, { revision, digest });
  }

  /** Whether the store holds of a household what was made of it, and nothing else. @throws DocumentsUnavailable */
  async isAsMade(householdId: string, revision: number): Promise<boolean> {
    const made = this.made.get(householdId);
    if (made?.revision !== revision) return false;
    try {
      return (await digestOfHousehold(this.documents, this.models, householdId)) === made.digest;
    } catch (error) {
      if (isStoreDown(error)) throw error;
      // Then everything is compared, and that tells what is wrong.
      return false;
    }
  }
}
