import type { Documents } from '#storage/documents/documents';
import { digestOfHousehold } from '../households/bulk-build.js';
import type { ReadModels } from '../households/read-models.js';
import { isStoreDown } from '../households/store-failures.js';

/** Households that are remembered; of others every document is compared. */
const BUILT_MAX = 50_000;

/**
 * What this process built in bulk, by the fold that a verification compares with: it need not fold these events a second
 * time if the store holds the same texts.
 */
export class BuiltHouseholds {
  private readonly made = new Map<string, { readonly revision: number; readonly digest: string }>();

  constructor(
    private readonly documents: Documents,
    private readonly models: ReadModels,
  ) {}

  /** @param digest as `digestOfHousehold`, of what was built of the events up to the revision */
  remember(householdId: string, revision: number, digest: string): void {
    if (this.made.size < BUILT_MAX) this.made.set(householdId, { revision, digest });
  }

  /** Whether the store holds what was built of a household, and nothing else. @throws DocumentsUnavailable */
  async isAsBuilt(householdId: string, revision: number): Promise<boolean> {
    const made = this.made.get(householdId);
    if (made?.revision !== revision) return false;
    try {
      return (await digestOfHousehold(this.documents, this.models, householdId)) === made.digest;
    } catch (error) {
      if (isStoreDown(error)) throw error;
      // Then everything is compared, which finds what is wrong.
      return false;
    }
  }
}
