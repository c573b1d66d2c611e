/** A place in a document where it is not what the events make it. Absent values are `undefined`. */
export interface FieldDifference {
  /** As `groups.0.items.2.planned`; empty for the document as a whole. */
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** At most this many places of one document are named. */
export const FIELDS_NAMED_MAX = 20;

/** Where two JSON values differ, at most `FIELDS_NAMED_MAX` places. Equal values in another order differ as a whole. */
export function fieldDifferences(expected: unknown, found: unknown): FieldDifference[] {
  const differences: FieldDifference[] = [];
  collect('', expected, found, differences);
  if (differences.length === 0 && JSON.stringify(expected) !== JSON.stringify(found)) {
    differences.push({ path: '', expected, found });
  }
  return differences;
}

function collect(path: string, expected: unknown, found: unknown, into: FieldDifference[]): void {
  if (into.length >= FIELDS_NAMED_MAX) return;
  if (!isContainer(expected) || !isContainer(found) || Array.isArray(expected) !== Array.isArray(found)) {
    if (expected !== found) into.push({ path, expected, found });
    return;
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    collect(path === '' ? name : `${path}.${name}`, own(expected, name), own(found, name), into);
  }
}

type Container = Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function own(container: Container, name: string): unknown {
  return Object.hasOwn(container, name) ? container[name] : undefined;
}
