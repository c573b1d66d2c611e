import type { Schemas } from '#client/client';

export type Me = Schemas['Me'];
export type Household = Schemas['Household'];
export type Month = Schemas['Month'];
export type Group = Schemas['Group'];
export type Item = Schemas['Item'];
export type Transaction = Schemas['Transaction'];
export type Settings = Schemas['Settings'];

/** A month, and the tag that changes with it. */
export interface MonthData {
  readonly month: Month;
  readonly etag: string | null;
}
