/** The groups and items that a household's first month is laid out with, all planned 0; income first. */
export const DEFAULT_TEMPLATE: readonly { readonly name: string; readonly items: readonly string[] }[] = [
  { name: 'Income', items: ['Paycheck'] },
  { name: 'Giving', items: ['Charity'] },
  { name: 'Savings', items: ['Emergency Fund'] },
  { name: 'Housing', items: ['Rent or Mortgage', 'Electricity', 'Water', 'Internet'] },
  { name: 'Transportation', items: ['Fuel', 'Maintenance'] },
  { name: 'Food', items: ['Groceries', 'Restaurants'] },
  { name: 'Personal', items: ['Clothing', 'Phone'] },
  { name: 'Health', items: ['Doctor', 'Medicine'] },
  { name: 'Insurance', items: ['Health', 'Car'] },
];

/** A new group gets the colour after that of the group made before it. */
const PALETTE: readonly string[] = [
  '#2e7d32',
  '#ad1457',
  '#1565c0',
  '#6a1b9a',
  '#ef6c00',
  '#00838f',
  '#9e9d24',
  '#c62828',
  '#4e342e',
  '#283593',
  '#00695c',
  '#37474f',
];

/** @param groupsMade how many groups the household ever made */
export function nextColor(groupsMade: number): string {
  return PALETTE[groupsMade % PALETTE.length]!;
}
