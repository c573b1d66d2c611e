import { createContext, use } from 'react';
import type { Month } from '../api/types.js';
import type { Money } from '../format/money.js';
import type { MonthCommands } from './month-commands.js';

export type ColumnView = 'remaining' | 'spent' | 'planned';

/** The month that a page shows, and what can be done with it. */
export interface ShownMonth {
  readonly month: Month;
  readonly money: Money;
  readonly columnView: ColumnView;
  readonly commands: MonthCommands;
  /** A month of the past, or one of an archived household: it can be read only. */
  readonly isReadOnly: boolean;
  /** Opens the panel of an item. */
  readonly open: (itemId: string) => void;
}

export const MonthContext = createContext<ShownMonth | null>(null);

export function useShownMonth(): ShownMonth {
  const shown = use(MonthContext);
  if (!shown) throw new Error('This component belongs to a month.');
  return shown;
}
