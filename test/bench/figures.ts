/** One line of the table. */
export interface Figure {
  /** What was measured, and in which unit. */
  readonly measure: string;
  readonly value: number;
  /** What the value is compared with, measured in the same run; null where a bound stands by itself. */
  readonly floor: number | null;
  readonly ratio: number | null;
  /** What the ratio must be, or the value where there is no floor. */
  readonly must: string;
  readonly ok: boolean;
}

/** One round: the measure, and its floor right before or after it. */
export interface Round {
  readonly value: number;
  readonly floor: number;
}

/** A figure that must reach a part of its floor. */
export function atLeast(measure: string, rounds: readonly Round[], must: number): Figure {
  const ratio = medianRatio(rounds);
  return { ...medians(measure, rounds), ratio: rounded(ratio), must: `≥ ${must}`, ok: ratio >= must };
}

/** A figure that must not pass a multiple of its floor. */
export function atMost(measure: string, rounds: readonly Round[], must: number): Figure {
  const ratio = medianRatio(rounds);
  return { ...medians(measure, rounds), ratio: rounded(ratio), must: `≤ ${must}`, ok: ratio <= must };
}

/** A figure with a bound of its own. */
export function bounded(measure: string, value: number, most: number, unit: string): Figure {
  return {
    measure,
    value: rounded(value),
    floor: null,
    ratio: null,
    must: `≤ ${most} ${unit}`,
    ok: value <= most,
  };
}

/** A figure that must not fall below a bound of its own. */
export function reached(measure: string, value: number, least: number): Figure {
  const must = `≥ ${least}`;
  return { measure, value: rounded(value), floor: null, ratio: null, must, ok: value >= least };
}

/** Each the median over the rounds, so that a round which something else disturbed does not count. */
function medians(measure: string, rounds: readonly Round[]): Pick<Figure, 'measure' | 'value' | 'floor'> {
  return {
    measure,
    value: rounded(median(rounds.map(({ value }) => value))),
    floor: rounded(median(rounds.map(({ floor }) => floor))),
  };
}

/** As it is decided on; only what is printed is rounded. */
function medianRatio(rounds: readonly Round[]): number {
  return median(rounds.map(({ value, floor }) => value / floor));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that so large a part of the values do not pass. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)]!;
}

/** Three significant digits, but never fewer than the whole number has. */
function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

const COLUMNS = ['measure', 'value', 'floor', 'ratio', 'must', 'ok'] as const;

/** The figures as a table in Markdown, for the terminal as well. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(figure => COLUMNS.map(column => cell(figure[column])));
  const widths = COLUMNS.map((name, column) =>
    Math.max(name.length, ...rows.map(row => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((text, column) => {
      const width = widths[column]!;
      return column === 0 ? text.padEnd(width) : text.padStart(width);
    });
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(COLUMNS), line(rule), ...rows.map(line)].join('\n');
}

function cell(value: Figure[keyof Figure]): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'NO';
  return typeof value === 'number' ? value.toLocaleString('en-US', { maximumFractionDigits: 3 }) : value;
}
