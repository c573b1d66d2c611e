import { once } from 'node:events';

/** A stream that text is written to, and whether a person looks at it. */
type TextStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

type Pages<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>;

/** Where a command prints its results (`out`) and its progress (`err`). Writing waits for a slow reader. */
export class Terminal {
  constructor(
    readonly out: TextStream,
    readonly err: TextStream,
  ) {}

  /** One or more lines of results. Text of users has been through `plainText` before. */
  async print(lines: string): Promise<void> {
    await this.write(`${lines}\n`);
  }

  async printJson(value: unknown): Promise<void> {
    await this.print(safeJson(value));
  }

  /** One JSON document with a single list, however long that is, behind other fields. */
  async printJsonList(name: string, pages: Pages<object>, fields: object = {}): Promise<void> {
    let separator = '';
    await this.write(safeJson({ ...fields, [name]: [] }).slice(0, -2));
    for await (const page of pages) {
      for (const element of page) {
        await this.write(`${separator}${safeJson(element)}`);
        separator = ',\n';
      }
    }
    await this.print(']}');
  }

  /**
   * Rows in columns, page by page, or a sentence where there are none. Columns only grow, so that no list is held in
   * memory for its widths.
   */
  async printTable<T>(columns: readonly Column<T>[], pages: Pages<T>, none?: string): Promise<void> {
    const titles = columns.map(({ title }) => title);
    const widths = titles.map(widthOf);
    let begun = false;
    for await (const page of pages) {
      if (page.length === 0) continue;
      const rows = page.map(row => columns.map(column => plainText(column.text(row))));
      for (const cells of rows) {
        for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at]!, widthOf(cell));
      }
      const lines = (begun ? rows : [titles, ...rows]).map(cells => inColumns(cells, columns, widths));
      begun = true;
      await this.print(lines.join('\n'));
    }
    if (none !== undefined && !begun) await this.print(none);
  }

  /** A remark beside the results: standard error, so that results can be piped. */
  remark(sentence: string): void {
    this.err.write(`${sentence}\n`);
  }

  private async write(text: string): Promise<void> {
    if (!this.out.write(text)) await once(this.out, 'drain');
  }
}

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

function inColumns(
  cells: readonly string[],
  columns: readonly Column<never>[],
  widths: readonly number[],
): string {
  const padded = cells.map((cell, at) => {
    const padding = ' '.repeat(Math.max(widths[at]! - widthOf(cell), 0));
    return columns[at]!.align === 'right' ? padding + cell : cell + padding;
  });
  return padded.join(GAP).trimEnd();
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!JOINING.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/**
 * Characters that a terminal may act on instead of showing: control characters, the marks that turn the direction of
 * writing, and separators of lines and paragraphs.
 */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** The same without those that JSON has escaped already. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text of users for a line of a terminal: what could act on the terminal stands there as an escape. */
export function plainText(text: string): string {
  return text.replaceAll(UNSAFE, character => {
    if (character === '\n') return String.raw`\n`;
    if (character === '\t') return ' ';
    return escaped(character);
  });
}

/** JSON that says the same and may be shown on a terminal. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSAFE_IN_JSON, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
