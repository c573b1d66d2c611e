/** What the demo household plans each month, in minor units, by the default template's item names. */
export const DEMO_PLAN: Readonly<Record<string, number>> = {
  Paycheck: 420_000,
  Charity: 8_000,
  'Emergency Fund': 25_000,
  'Rent or Mortgage': 135_000,
  Electricity: 8_500,
  Water: 4_200,
  Internet: 4_500,
  Fuel: 16_000,
  Maintenance: 6_000,
  Groceries: 62_000,
  Restaurants: 18_000,
  Clothing: 9_000,
  Phone: 3_600,
  Doctor: 5_000,
  Medicine: 2_500,
};

/** Items that the demo makes funds, and what they hold at first. */
export const DEMO_FUNDS: Readonly<Record<string, { readonly balance: number; readonly target: number }>> = {
  'Emergency Fund': { balance: 310_000, target: 1_000_000 },
  Maintenance: { balance: 24_000, target: 60_000 },
};

export interface DemoPurchase {
  readonly merchant: string;
  /** Shares of the amount in percent, by item name; empty leaves it untracked. */
  readonly split: Readonly<Record<string, number>>;
  readonly amountMin: number;
  readonly amountMax: number;
  /** How often a month. */
  readonly times: number;
  readonly note?: string;
  readonly type?: 'income' | 'expense';
  /** On this day of the month only. */
  readonly day?: number;
}

function purchase(
  merchant: string,
  split: DemoPurchase['split'],
  [amountMin, amountMax]: readonly [number, number],
  times: number,
  more: Partial<DemoPurchase> = {},
): DemoPurchase {
  return { merchant, split, amountMin, amountMax, times, ...more };
}

export const DEMO_PURCHASES: readonly DemoPurchase[] = [
  purchase('Acme Payroll', { Paycheck: 100 }, [210_000, 210_000], 1, { type: 'income', day: 1 }),
  purchase('Acme Payroll', { Paycheck: 100 }, [210_000, 210_000], 1, { type: 'income', day: 15 }),
  purchase('Maple Street Homes', { 'Rent or Mortgage': 100 }, [135_000, 135_000], 1, { day: 2 }),
  purchase('City Power & Water', { Electricity: 65, Water: 35 }, [10_500, 13_500], 1, { day: 5 }),
  purchase('Fibernet', { Internet: 100 }, [4_500, 4_500], 1, { day: 6 }),
  purchase('Moby Mobile', { Phone: 100 }, [3_600, 3_600], 1, { day: 8 }),
  purchase('Green Grocer', { Groceries: 100 }, [2_100, 9_400], 6),
  purchase('Costco', { Groceries: 80, Clothing: 20 }, [9_000, 16_000], 2),
  purchase('Café Wéber', { Restaurants: 100 }, [450, 2_300], 4),
  purchase('Trattoria da Nino', { Restaurants: 100 }, [3_800, 7_900], 1, { note: 'Dinner with Grandma' }),
  purchase('Shell', { Fuel: 100 }, [3_900, 6_800], 2),
  purchase('Corner Pharmacy', { Medicine: 100 }, [700, 2_100], 1),
  purchase('Quick Lube', { Maintenance: 100 }, [5_900, 8_900], 1),
  purchase('Food Bank', { Charity: 100 }, [5_000, 8_000], 1, { day: 20 }),
  purchase('Cash withdrawal', {}, [4_000, 10_000], 1),
  purchase('Corner kiosk', {}, [200, 900], 2),
  purchase('Green Grocer', { Groceries: 100 }, [800, 1_600], 1, {
    type: 'income',
    note: 'Refund for spoilt milk',
  }),
];
