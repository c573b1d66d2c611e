import { plainText } from './plain-text.js';
import type { Terminal } from './terminal.js';

export interface Column<T> {
  readonly title: string;
  readonly align?: 'right';
  /** The cell's text; it may hold what users wrote. */
  text(row: T): string;
}

/** Marks that join the character before them, and so take no place of their own. */
const JOINING = /\p{Mark}|\u200d/u;
/** Two places wide in a terminal: East Asian wide characters and pictures, roughly. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

const GAP = '  ';

/** Prints rows in columns, a page at a time: columns only grow, so that no list is held in memory for its widths. */
export class Table<T> {
  private readonly widths: number[];
  private begun = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly columns: readonly Column<T>[],
  ) {
    this.widths = columns.map(({ title }) => widthOf(title));
  }

  get hasRows(): boolean {
    return this.begun;
  }

  async print(rows: readonly T[]): Promise<void> {
    if (rows.length === 0) return;
    const cells = rows.map(row => this.columns.map(column => plainText(column.text(row))));
    for (const line of cells) {
      for (const [at, cell] of line.entries()) this.widths[at] = Math.max(this.widths[at]!, widthOf(cell));
    }
    if (!this.begun) await this.terminal.print(this.line(this.columns.map(({ title }) => title)));
    this.begun = true;
    await this.terminal.print(cells.map(line => this.line(line)).join('\n'));
  }

  private line(cells: readonly string[]): string {
    const padded = cells.map((cell, at) => {
      const padding = ' '.repeat(Math.max(this.widths[at]! - widthOf(cell), 0));
      return this.columns[at]!.align === 'right' ? padding + cell : cell + padding;
    });
    return padded.join(GAP).trimEnd();
  }
}

/** Prints pages of rows, or a sentence where there are none. */
export async function printTable<T>(
  terminal: Terminal,
  columns: readonly Column<T>[],
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  none: string,
): Promise<void> {
  const table = new Table(terminal, columns);
  for await (const page of pages) await table.print(page);
  if (!table.hasRows) await terminal.print(none);
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!JOINING.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}
