import type { LedgerEventType } from './events.js';

/** The newest schema version of each event: what new events are written with. */
export const SCHEMA_VERSIONS: Readonly<Record<LedgerEventType, number>> = {
  MonthCreated: 1,
  MonthZeroed: 1,
  MonthReplaced: 1,
  GroupAdded: 1,
  GroupPlaced: 1,
  GroupChanged: 1,
  GroupRemoved: 1,
  GroupsOrdered: 1,
  ItemAdded: 1,
  ItemPlaced: 1,
  ItemChanged: 1,
  ItemPlanned: 1,
  ItemNoted: 1,
  ItemHarvested: 1,
  ItemRemoved: 1,
  ItemsOrdered: 1,
  FundOpened: 1,
  FundEnded: 1,
  FundBalanceUpdated: 1,
  TransactionCreated: 1,
  TransactionChanged: 2,
  TransactionDeleted: 2,
  TransactionRestored: 2,
  MonthRemoved: 1,
  LayoutPutBack: 1,
  GroupPutBack: 1,
  ItemPutBack: 1,
  FundReopened: 1,
  AdjustmentRemoved: 1,
  AdjustmentPutBack: 1,
  CommandUndone: 3,
};

/** Brings an event's data from one schema version to the next; the key is the version it comes from. */
type Upcaster = (data: object) => object;

/** The chain of upcasters by event type. Pure; an event is brought up one version at a time. */
export const UPCASTERS: { readonly [T in LedgerEventType]?: Readonly<Record<number, Upcaster>> } = {
  // Version 2 may say which taken splits a change puts out of reach, and which its undoing brings back: `forgets` and
  // `recalls`. What was not recorded cannot be known; the number keeps a program that does not know them from folding them.
  TransactionChanged: { 1: data => data },
  // Version 2 says the amount and the merchant of the transaction.
  TransactionDeleted: { 1: data => data },
  TransactionRestored: { 1: data => data },
  // The version rises with those of the events in it.
  CommandUndone: { 1: data => data, 2: data => data },
};
