const NUMBER = new Intl.NumberFormat('en');

/** `1234567` as `1,234,567`. */
export function count(value: number): string {
  return NUMBER.format(value);
}

/** `3 events`, `1 event`. @param plural that of more than one; `one` and an s where it is absent */
export function counted(value: number, one: string, plural = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : plural}`;
}

/** A timestamp for people, UTC to the second: `2026-01-15 18:30:00`. Null is a time that nothing tells. */
export function moment(timestamp: string | null): string {
  if (timestamp === null) return 'unknown';
  return timestamp.slice(0, 19).replace('T', ' ');
}

/** Seconds for people: `4 s`, `3 min`, `2 h`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `12345678` as `12.3 MB`. */
export function bytes(size: number): string {
  let value = size;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** A flat object as scripts get it: with the names of its fields in snake case. */
export function snakeCased(fields: object): Readonly<Record<string, unknown>> {
  const named = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [named(name), value]));
}
