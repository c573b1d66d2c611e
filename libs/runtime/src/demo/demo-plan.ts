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

export const DEMO_PURCHASES: readonly DemoPurchase[] = [
  {
    merchant: 'Acme Payroll',
    split: { Paycheck: 100 },
    amountMin: 210_000,
    amountMax: 210_000,
    times: 1,
    type: 'income',
    day: 1,
  },
  {
    merchant: 'Acme Payroll',
    split: { Paycheck: 100 },
    amountMin: 210_000,
    amountMax: 210_000,
    times: 1,
    type: 'income',
    day: 15,
  },
  {
    merchant: 'Maple Street Homes',
    split: { 'Rent or Mortgage': 100 },
    amountMin: 135_000,
    amountMax: 135_000,
    times: 1,
    day: 2,
  },
  {
    merchant: 'City Power & Water',
    split: { Electricity: 65, Water: 35 },
    amountMin: 10_500,
    amountMax: 13_500,
    times: 1,
    day: 5,
  },
  { merchant: 'Fibernet', split: { Internet: 100 }, amountMin: 4_500, amountMax: 4_500, times: 1, day: 6 },
  { merchant: 'Moby Mobile', split: { Phone: 100 }, amountMin: 3_600, amountMax: 3_600, times: 1, day: 8 },
  { merchant: 'Green Grocer', split: { Groceries: 100 }, amountMin: 2_100, amountMax: 9_400, times: 6 },
  {
    merchant: 'Costco',
    split: { Groceries: 80, Clothing: 20 },
    amountMin: 9_000,
    amountMax: 16_000,
    times: 2,
  },
  { merchant: 'Café Wéber', split: { Restaurants: 100 }, amountMin: 450, amountMax: 2_300, times: 4 },
  {
    merchant: 'Trattoria da Nino',
    split: { Restaurants: 100 },
    amountMin: 3_800,
    amountMax: 7_900,
    times: 1,
    note: 'Dinner with Grandma',
  },
  { merchant: 'Shell', split: { Fuel: 100 }, amountMin: 3_900, amountMax: 6_800, times: 2 },
  { merchant: 'Corner Pharmacy', split: { Medicine: 100 }, amountMin: 700, amountMax: 2_100, times: 1 },
  { merchant: 'Quick Lube', split: { Maintenance: 100 }, amountMin: 5_900, amountMax: 8_900, times: 1 },
  { merchant: 'Food Bank', split: { Charity: 100 }, amountMin: 5_000, amountMax: 8_000, times: 1, day: 20 },
  { merchant: 'Cash withdrawal', split: {}, amountMin: 4_000, amountMax: 10_000, times: 1 },
  { merchant: 'Corner kiosk', split: {}, amountMin: 200, amountMax: 900, times: 2 },
  {
    merchant: 'Green Grocer',
    split: { Groceries: 100 },
    amountMin: 800,
    amountMax: 1_600,
    times: 1,
    type: 'income',
    note: 'Refund for spoilt milk',
  },
];
