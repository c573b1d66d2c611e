/** Households whose versions are told apart; those changed longest ago share one. */
const VERSIONS_KEPT_MAX = 50_000;

/**
 * Counts changes of households' documents by this process: as long as a household's version is the same, so are its
 * documents, where nobody else writes them. A version means nothing to another process, or after a restart.
 */
export class HouseholdVersions {
  private readonly versions = new Map<string, number>();
  /** Of every household that is not in the map. */
  private others = 0;
  private latest = 0;

  constructor(private readonly keptMax: number = VERSIONS_KEPT_MAX) {}

  /** To be compared with an earlier answer only; it may also change where the household did not. */
  of(householdId: string): number {
    return this.versions.get(householdId) ?? this.others;
  }

  /** To be told before the first document is written, and again after the last, also when that failed. */
  changed(householdId: string): void {
    this.latest += 1;
    this.versions.delete(householdId);
    this.versions.set(householdId, this.latest);
    if (this.versions.size <= this.keptMax) return;
    for (const [oldest, version] of this.versions) {
      this.versions.delete(oldest);
      this.others = version;
      break;
    }
  }
}
