import type { Group } from '../api/types.js';
import type { ColumnView } from './month-context.js';

interface Column {
  readonly name: string;
  readonly figure: keyof Group['totals'];
}

/** The column beside what is planned; undefined where only that is shown. */
export function columnOf(view: ColumnView, isIncome: boolean): Column | undefined {
  if (view === 'planned') return undefined;
  if (view === 'remaining') return { name: 'Remaining', figure: 'remaining' };
  return isIncome ? { name: 'Received', figure: 'received' } : { name: 'Spent', figure: 'spent' };
}
