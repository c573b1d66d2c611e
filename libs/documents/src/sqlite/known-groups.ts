import type { Scalar } from '../declared.js';

/** Groups of one index whose numbers are kept in memory. */
export const GROUPS_KNOWN_MAX = 32_768;

type Level = Map<Scalar, Level | number>;

/**
 * Numbers of an index's groups by their values, one level of maps for each value: looking one up makes no text of
 * them. When there are too many, all are forgotten and learnt again from the file, each when it is needed.
 */
export class KnownGroups {
  private readonly first: Level = new Map();
  private count = 0;

  get(values: readonly Scalar[]): number | undefined {
    let found: Level | number | undefined = this.first;
    for (const value of values) found = typeof found === 'object' ? found.get(value) : undefined;
    return typeof found === 'number' ? found : undefined;
  }

  set(values: readonly Scalar[], group: number): void {
    if (this.count >= GROUPS_KNOWN_MAX) {
      this.first.clear();
      this.count = 0;
    }
    let level = this.first;
    for (const value of values.slice(0, -1)) {
      let next = level.get(value);
      if (typeof next !== 'object') level.set(value, (next = new Map()));
      level = next;
    }
    level.set(values.at(-1)!, group);
    this.count += 1;
  }
}
