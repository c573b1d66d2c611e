import { partOf } from '#ledger/evolve';
import { decimalText, exactSum, type Amount } from '#ledger/money';
import type {
  EventOf,
  FundEventType,
  GroupEventType,
  Kind,
  LedgerEventData,
  PlacedAdjustment,
  RecordedLedgerEvent,
  TakenItem,
  TransactionBrief,
  TransactionEventType,
  Ulid,
  Untracking,
  WayBackType,
} from '#ledger/events';
import type { IdentitiesDocument } from './identities-document.js';
import { transactionIdOf, type TransactionDocument } from './transaction-document.js';

/** What a sentence writes before a negative amount. */
const MINUS = '−';
/** A summary says at most this many changes one by one. */
const PHRASES_MAX = 5;

/** What a summary calls things: by their present names, and amounts in the household's currency. */
export interface PresentNames {
  user(id: Ulid): string | undefined;
  group(id: Ulid): string | undefined;
  item(id: Ulid): string | undefined;
  /** What a transaction says now. */
  transaction(id: Ulid): Required<TransactionBrief> | undefined;
  money(amount: Amount): string;
}

/**
 * The names that a household's documents say, and those of users.
 * @param decimals of the household's currency
 */
export function presentNames(
  { groups, items }: Pick<IdentitiesDocument, 'groups' | 'items'>,
  transactions: readonly TransactionDocument[],
  users: ReadonlyMap<Ulid, string>,
  decimals: number,
): PresentNames {
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  const itemNames = new Map(items.map(({ id, name }) => [id, name]));
  const records = new Map(transactions.map(({ key, record }) => [transactionIdOf(key), record]));
  return {
    user: id => users.get(id),
    group: id => groupNames.get(id),
    item: id => itemNames.get(id),
    transaction: id => records.get(id),
    money: amount => decimalText(amount, decimals).replace('-', MINUS),
  };
}

/**
 * One sentence for a person about what a command did.
 * @param events those of one command, in their order
 */
export function summaryOf(events: readonly RecordedLedgerEvent[], names: PresentNames): string {
  const [first] = events;
  if (!first) return '';
  const by = names.user(first.by);
  return `${by === undefined || by === '' ? 'Somebody' : by} ${phraseOfAll(events, names)}.`;
}

/**
 * What happened together. An undoing may have an event for every item of a month, and a batch one for each of many
 * transactions: those are said as one.
 */
function phraseOfAll(events: readonly RecordedLedgerEvent[], names: PresentNames): string {
  const [first, ...others] = events;
  if (first && others.length > 0 && others.every(({ type }) => type === first.type)) {
    if (first.type === 'ItemPlanned') return `changed ${events.length} plans in ${first.data.month}`;
    if (first.type === 'ItemsOrdered') return `ordered the items of ${first.data.month}`;
  }
  const ofTransactions = events.filter(isOfTransaction);
  if (
    ofTransactions.length === events.length &&
    new Set(ofTransactions.map(({ data }) => data.id)).size > 1
  ) {
    return countsPhrase(ofTransactions);
  }
  const phrases = events.slice(0, PHRASES_MAX).map(event => phraseOf(event, names));
  const more = events.length - phrases.length;
  if (more > 0) phrases.push(`made ${more} more ${more === 1 ? 'change' : 'changes'}`);
  return listed(phrases);
}

/** As `a, b and c`. */
function listed(phrases: readonly string[]): string {
  const last = phrases.at(-1) ?? '';
  return phrases.length < 2 ? last : `${phrases.slice(0, -1).join(', ')} and ${last}`;
}

type TransactionEvent = EventOf<TransactionEventType>;

const TRANSACTION_VERBS: Readonly<Record<TransactionEventType, string>> = {
  TransactionCreated: 'recorded',
  TransactionChanged: 'changed',
  TransactionDeleted: 'deleted',
  TransactionRestored: 'restored',
};

function isOfTransaction(event: RecordedLedgerEvent): event is TransactionEvent {
  return event.type in TRANSACTION_VERBS;
}

/** As `recorded 40 transactions, changed 3 and deleted one`. */
function countsPhrase(events: readonly TransactionEvent[]): string {
  const ids = new Map<TransactionEventType, Set<Ulid>>();
  for (const { type, data } of events) ids.set(type, (ids.get(type) ?? new Set()).add(data.id));
  return listed(
    [...ids].map(([type, { size }], at) => {
      const count = at === 0 ? transactions(size) : size === 1 ? 'one' : String(size);
      return `${TRANSACTION_VERBS[type]} ${count}`;
    }),
  );
}

/** An undoing: what it did, which is the opposite of what was undone. */
function undonePhrase(event: EventOf<'CommandUndone'>, names: PresentNames): string {
  const parts = event.data.events.map(part => partOf(event, part));
  return `${phraseOfAll(parts, names)} (undid ${undoneThing(parts)})`;
}

/** What an undoing with these parts undid, as far as they tell. */
function undoneThing([part, ...others]: readonly RecordedLedgerEvent[]): string {
  if (part === undefined) return 'an earlier change';
  if (others.length > 0) {
    const isSame = others.every(({ type }) => type === part.type);
    if (isSame && part.type === 'TransactionDeleted') return 'their addition';
    return isSame && part.type === 'TransactionRestored' ? 'their deletion' : 'an earlier change';
  }
  switch (part.type) {
    case 'MonthRemoved':
      return 'its creation';
    case 'TransactionDeleted':
    case 'GroupRemoved':
    case 'ItemRemoved':
      return 'its addition';
    case 'MonthCreated':
    case 'TransactionRestored':
    case 'GroupPutBack':
    case 'ItemPutBack':
      return 'its deletion';
    case 'LayoutPutBack':
      return 'a reset';
    default:
      return 'an earlier change';
  }
}

/** What happened, as it goes on after who did it. */
function phraseOf(event: RecordedLedgerEvent, names: PresentNames): string {
  switch (event.type) {
    case 'MonthCreated':
    case 'MonthZeroed':
    case 'MonthReplaced':
      return monthPhrase(event);
    case 'GroupAdded':
    case 'GroupPlaced':
    case 'GroupChanged':
    case 'GroupRemoved':
    case 'GroupsOrdered':
      return groupPhrase(event, names);
    case 'FundOpened':
    case 'FundEnded':
    case 'FundBalanceUpdated':
      return fundPhrase(event, names);
    case 'CommandUndone':
      return undonePhrase(event, names);
    case 'TransactionCreated':
    case 'TransactionChanged':
    case 'TransactionDeleted':
    case 'TransactionRestored':
      return transactionPhrase(event, names);
    default:
      return partPhrase(event, names);
  }
}

/** What happened to an item, to its plan, or by an undo. */
function partPhrase(event: ItemLayoutEvent | PlanEvent | EventOf<WayBackType>, names: PresentNames): string {
  switch (event.type) {
    case 'ItemAdded':
    case 'ItemPlaced':
    case 'ItemChanged':
    case 'ItemRemoved':
    case 'ItemsOrdered':
      return itemPhrase(event, names);
    case 'ItemPlanned':
    case 'ItemNoted':
    case 'ItemHarvested':
      return planPhrase(event, names);
    default:
      return wayBackPhrase(event, names);
  }
}

type PlanEvent = EventOf<'ItemPlanned' | 'ItemNoted' | 'ItemHarvested'>;

function wayBackPhrase(event: EventOf<WayBackType>, names: PresentNames): string {
  switch (event.type) {
    case 'MonthRemoved':
      return `deleted ${event.data.month}`;
    case 'LayoutPutBack':
      return `restored the former layout of ${event.data.month}${trackedAgain(event.data)}`;
    case 'GroupPutBack': {
      const { groupId, month, items } = event.data;
      return `restored ${groupOf(groupId, names)} in ${month}${withPlans(items, names)}${trackedAgain(event.data)}`;
    }
    case 'ItemPutBack': {
      const { item, month } = event.data;
      return `restored ${itemName(item.itemId, names)} in ${month}${withPlans([item], names)}${trackedAgain(event.data)}`;
    }
    case 'FundReopened':
      return `made ${itemName(event.data.itemId, names)} a fund again`;
    case 'AdjustmentRemoved':
      return `removed ${adjustmentOf(event.data, names)}`;
    case 'AdjustmentPutBack':
      return `restored ${adjustmentOf(event.data, names)}`;
  }
}

function adjustmentOf({ adjustment, itemId, month }: PlacedAdjustment, names: PresentNames): string {
  return `a correction of the balance of ${itemName(itemId, names)} in ${month} by ${names.money(adjustment.amount)}`;
}

function monthPhrase(event: EventOf<'MonthCreated' | 'MonthZeroed' | 'MonthReplaced'>): string {
  const { month } = event.data;
  switch (event.type) {
    case 'MonthCreated': {
      const { copiedFrom } = event.data;
      return `created ${month} ${copiedFrom === null ? 'from the template' : `as a copy of ${copiedFrom}`}`;
    }
    case 'MonthZeroed':
      return `set every plan of ${month} to 0`;
    case 'MonthReplaced': {
      const { copiedFrom } = event.data;
      const layout = copiedFrom === null ? 'the template' : `a copy of ${copiedFrom}`;
      return `reset ${month} to ${layout}${untrackedToo(event.data)}`;
    }
  }
}

type GroupEvent = EventOf<Exclude<GroupEventType, WayBackType>>;

function groupPhrase(event: GroupEvent, names: PresentNames): string {
  switch (event.type) {
    case 'GroupAdded':
      return `added the group ${names.group(event.data.group.id) ?? event.data.group.name} to ${event.data.month}`;
    case 'GroupPlaced':
      return `put ${groupOf(event.data.groupId, names)} into ${event.data.month}`;
    case 'GroupChanged': {
      const { before, after, groupId } = event.data;
      if (after.name === undefined) return `gave ${groupOf(groupId, names)} another colour`;
      const colouredToo = after.color === undefined ? '' : ' and gave it another colour';
      return `renamed the group ${before.name ?? ''} to ${after.name}${colouredToo}`;
    }
    case 'GroupRemoved': {
      const { groupId, month, taken } = event.data;
      return `deleted ${groupOf(groupId, names)} from ${month}${withPlans(taken, names)}${untrackedToo(event.data)}`;
    }
    case 'GroupsOrdered':
      return `ordered the groups of ${event.data.month}`;
  }
}

type ItemLayoutEvent = EventOf<'ItemAdded' | 'ItemPlaced' | 'ItemChanged' | 'ItemRemoved' | 'ItemsOrdered'>;

function itemPhrase(event: ItemLayoutEvent, names: PresentNames): string {
  switch (event.type) {
    case 'ItemAdded': {
      const { item, month, planned } = event.data;
      return `added ${names.item(item.id) ?? item.name} to ${month}${withPlan(planned, names)}`;
    }
    case 'ItemPlaced': {
      const { itemId, month, planned } = event.data;
      return `put ${itemName(itemId, names)} into ${month}${withPlan(planned, names)}`;
    }
    case 'ItemChanged':
      return attributesPhrase(event.data, names);
    case 'ItemRemoved': {
      const { taken, month } = event.data;
      return `deleted ${itemName(taken.itemId, names)} from ${month}${withPlans([taken], names)}${untrackedToo(event.data)}`;
    }
    case 'ItemsOrdered':
      return `ordered the items of ${groupName(event.data.groupId, names)} in ${event.data.month}`;
  }
}

function attributesPhrase(
  { itemId, before, after }: LedgerEventData['ItemChanged'],
  names: PresentNames,
): string {
  const name = itemName(itemId, names);
  const parts: string[] = [];
  if (after.name !== undefined) parts.push(`renamed ${before.name ?? ''} to ${after.name}`);
  if (after.favorite !== undefined) {
    parts.push(after.favorite ? `made ${name} a favourite` : `removed ${name} from the favourites`);
  }
  if (after.fundTarget === null) parts.push(`removed the target of ${name}`);
  else if (after.fundTarget !== undefined) {
    parts.push(`set the target of ${name} to ${names.money(after.fundTarget)}`);
  }
  return parts.join(' and ');
}

function planPhrase(event: PlanEvent, names: PresentNames): string {
  const { itemId, month, before, after } = event.data;
  const name = itemName(itemId, names);
  switch (event.type) {
    case 'ItemPlanned':
      return `planned ${names.money(event.data.after)} for ${name} in ${month} instead of ${names.money(event.data.before)}`;
    case 'ItemNoted':
      return `${after === null ? 'cleared the note' : before === null ? 'wrote a note' : 'changed the note'} on ${name} in ${month}`;
    case 'ItemHarvested':
      return `harvested ${names.money(event.data.before - event.data.after)} from ${name} in ${month}`;
  }
}

function fundPhrase(event: EventOf<Exclude<FundEventType, WayBackType>>, names: PresentNames): string {
  const name = itemName(event.data.itemId, names);
  switch (event.type) {
    case 'FundOpened':
      return `made ${name} a fund in ${event.data.month} with a balance of ${names.money(event.data.openingBalance)}`;
    case 'FundEnded':
      return `ended the fund ${name}`;
    case 'FundBalanceUpdated':
      return `corrected the balance of ${name} in ${event.data.month} by ${names.money(event.data.amount)}`;
  }
}

function transactionPhrase(event: EventOf<TransactionEventType>, names: PresentNames): string {
  switch (event.type) {
    case 'TransactionCreated': {
      const { type, splits } = event.data.content;
      const article = type === 'expense' ? 'an ' : '';
      const untracked = splits.length === 0 ? ', untracked' : '';
      return `recorded ${article}${type} ${ofTransaction(type, event.data.content, names)}${untracked}`;
    }
    case 'TransactionChanged':
      return changePhrase(event.data, names);
    case 'TransactionDeleted':
      return `deleted ${knownTransaction(event, names)}`;
    case 'TransactionRestored':
      return `restored ${knownTransaction(event, names)}`;
  }
}

function changePhrase({ before, after }: LedgerEventData['TransactionChanged'], names: PresentNames): string {
  const changed = (name: keyof typeof after): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const parts: string[] = [];
  if (changed('type')) parts.push(`type to ${after.type}`);
  if (changed('amount')) parts.push(`amount to ${names.money(after.amount)}`);
  if (changed('date')) parts.push(`date to ${after.date}`);
  if (changed('merchant')) parts.push(`merchant to ${after.merchant}`);
  if (changed('budgetMonth')) parts.push(`budget month to ${after.budgetMonth}`);
  if (changed('splits')) parts.push(after.splits.length === 0 ? 'splits to none' : 'splits');
  if (changed('note')) parts.push('note');
  if (changed('location')) parts.push('location');
  return `changed the ${before.type} ${ofTransaction(before.type, before, names)}: ${parts.join(', ')}`;
}

/** As `the expense of 12.50 at Bakery`. Events of an earlier version do not say it; then it is what is said now. */
function knownTransaction(
  { data }: EventOf<'TransactionDeleted' | 'TransactionRestored'>,
  names: PresentNames,
): string {
  const { id, type, budgetMonth, amount, merchant } = data;
  const brief = amount !== undefined && merchant !== undefined ? { amount, merchant } : names.transaction(id);
  if (brief === undefined) return `${type === 'expense' ? 'an ' : ''}${type} of ${budgetMonth}`;
  return `the ${type} ${ofTransaction(type, brief, names)}`;
}

/** As `of 12.50 at Bakery`. */
function ofTransaction(
  type: Kind,
  { amount, merchant }: Required<TransactionBrief>,
  names: PresentNames,
): string {
  return `of ${names.money(amount)} ${type === 'expense' ? 'at' : 'from'} ${merchant}`;
}

/** As `the group Food`. */
function groupOf(id: Ulid, names: PresentNames): string {
  const name = names.group(id);
  return name === undefined ? 'a group' : `the group ${name}`;
}

function groupName(id: Ulid, names: PresentNames): string {
  return names.group(id) ?? 'a group';
}

function itemName(id: Ulid, names: PresentNames): string {
  return names.item(id) ?? 'an item';
}

function withPlan(planned: Amount, names: PresentNames): string {
  return planned === 0 ? '' : `, planning ${names.money(planned)}`;
}

/** What was planned for items that leave a month or come back to it. */
function withPlans(items: readonly TakenItem[], names: PresentNames): string {
  const planned = exactSum(items.map(item => item.planned));
  return planned === null || planned === 0 ? '' : `, with ${names.money(planned)} planned`;
}

function untrackedToo({ untracked }: { readonly untracked: Untracking }): string {
  const { length } = untracked.transactionIds;
  return length === 0 ? '' : `, which untracked ${transactions(length)}`;
}

function trackedAgain({ retracked }: { readonly retracked: Untracking }): string {
  const { length } = retracked.transactionIds;
  return length === 0 ? '' : `, which tracked ${transactions(length)} again`;
}

function transactions(count: number): string {
  return count === 1 ? 'one transaction' : `${count} transactions`;
}
