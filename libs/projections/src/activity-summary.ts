import { partOf } from '#ledger/evolve';
import type {
  EventOf,
  FundEventType,
  GroupEventType,
  LedgerEventData,
  RecordedLedgerEvent,
  TransactionEventType,
  Ulid,
  WayBackType,
} from '#ledger/events';
import type { IdentitiesDocument } from './identities-document.js';
import { transactionIdOf, type TransactionDocument } from './transaction-document.js';

/** What a summary calls things: by their present names. */
export interface PresentNames {
  user(id: Ulid): string | undefined;
  group(id: Ulid): string | undefined;
  item(id: Ulid): string | undefined;
  /** The present merchant of a transaction. */
  merchant(transactionId: Ulid): string | undefined;
}

/** The names that a household's documents say, and those of users. */
export function presentNames(
  { groups, items }: Pick<IdentitiesDocument, 'groups' | 'items'>,
  transactions: readonly TransactionDocument[],
  users: ReadonlyMap<Ulid, string>,
): PresentNames {
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  const itemNames = new Map(items.map(({ id, name }) => [id, name]));
  const merchants = new Map(transactions.map(({ key, record }) => [transactionIdOf(key), record.merchant]));
  return {
    user: id => users.get(id),
    group: id => groupNames.get(id),
    item: id => itemNames.get(id),
    merchant: id => merchants.get(id),
  };
}

/**
 * One sentence for a person about what a command did.
 * @param events those of one command, in their order
 */
export function summaryOf(events: readonly RecordedLedgerEvent[], names: PresentNames): string {
  const [first] = events;
  if (!first) return '';
  const phrases = events.map(event => phraseOf(event, names));
  const by = names.user(first.by);
  return `${by === undefined || by === '' ? 'Somebody' : by} ${phrases.join(' and ')}.`;
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
      return `undid a change: ${event.data.events.map(part => phraseOf(partOf(event, part), names)).join(', ')}`;
    case 'TransactionCreated':
    case 'TransactionChanged':
    case 'TransactionDeleted':
    case 'TransactionRestored':
      return transactionPhrase(event, names);
    default:
      return partPhrase(event, names);
  }
}

/** What happened to an item, to its plan, or on the way back. */
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
      return `took ${event.data.month} away`;
    case 'LayoutPutBack':
      return `brought the former layout of ${event.data.month} back`;
    case 'GroupPutBack':
      return `brought ${groupOf(event.data.groupId, names)} back into ${event.data.month}`;
    case 'ItemPutBack':
      return `brought ${itemName(event.data.item.itemId, names)} back into ${event.data.month}`;
    case 'FundReopened':
      return `made ${itemName(event.data.itemId, names)} the fund that it had been`;
    case 'AdjustmentRemoved':
      return `took a correction of ${itemName(event.data.itemId, names)} in ${event.data.month} back`;
    case 'AdjustmentPutBack':
      return `brought a correction of ${itemName(event.data.itemId, names)} in ${event.data.month} back`;
  }
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
    case 'MonthReplaced':
      return `laid ${month} out again${untrackedToo(event.data)}`;
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
      const { groupId, month } = event.data;
      return `deleted ${groupOf(groupId, names)} from ${month}${untrackedToo(event.data)}`;
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
      return `added ${names.item(item.id) ?? item.name} to ${month}${withPlan(planned)}`;
    }
    case 'ItemPlaced': {
      const { itemId, month, planned } = event.data;
      return `put ${itemName(itemId, names)} into ${month}${withPlan(planned)}`;
    }
    case 'ItemChanged':
      return attributesPhrase(event.data, names);
    case 'ItemRemoved': {
      const { taken, month } = event.data;
      return `deleted ${itemName(taken.itemId, names)} from ${month}${untrackedToo(event.data)}`;
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
    parts.push(after.favorite ? `made ${name} a favourite` : `made ${name} no favourite any more`);
  }
  if (after.fundTarget === null) parts.push(`took the target of ${name} away`);
  else if (after.fundTarget !== undefined) {
    parts.push(`set the target of ${name} to ${money(after.fundTarget)}`);
  }
  return parts.join(' and ');
}

function planPhrase(event: PlanEvent, names: PresentNames): string {
  const { itemId, month, before, after } = event.data;
  const name = itemName(itemId, names);
  switch (event.type) {
    case 'ItemPlanned':
      return `planned ${money(event.data.after)} for ${name} in ${month} instead of ${money(event.data.before)}`;
    case 'ItemNoted':
      return `${after === null ? 'cleared the note' : before === null ? 'wrote a note' : 'changed the note'} on ${name} in ${month}`;
    case 'ItemHarvested':
      return `harvested ${money(event.data.before - event.data.after)} from ${name} in ${month}`;
  }
}

function fundPhrase(event: EventOf<Exclude<FundEventType, WayBackType>>, names: PresentNames): string {
  const name = itemName(event.data.itemId, names);
  switch (event.type) {
    case 'FundOpened':
      return `made ${name} a fund in ${event.data.month} with ${money(event.data.openingBalance)}`;
    case 'FundEnded':
      return `ended the fund ${name}`;
    case 'FundBalanceUpdated':
      return `corrected the balance of ${name} in ${event.data.month} by ${money(event.data.amount)}`;
  }
}

function transactionPhrase(event: EventOf<TransactionEventType>, names: PresentNames): string {
  switch (event.type) {
    case 'TransactionCreated': {
      const { type, amount, merchant, splits } = event.data.content;
      const untracked = splits.length === 0 ? ', untracked' : '';
      return type === 'expense'
        ? `recorded an expense of ${money(amount)} at ${merchant}${untracked}`
        : `recorded an income of ${money(amount)} from ${merchant}${untracked}`;
    }
    case 'TransactionChanged':
      return changePhrase(event.data);
    case 'TransactionDeleted':
      return `deleted the ${event.data.type} ${transactionName(event, names)}`;
    case 'TransactionRestored':
      return `restored the ${event.data.type} ${transactionName(event, names)}`;
  }
}

function changePhrase({ before, after }: LedgerEventData['TransactionChanged']): string {
  const changed = (name: keyof typeof after): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const parts: string[] = [];
  if (changed('type')) parts.push(`type to ${after.type}`);
  if (changed('amount')) parts.push(`amount from ${money(before.amount)} to ${money(after.amount)}`);
  if (changed('date')) parts.push(`date to ${after.date}`);
  if (changed('merchant')) parts.push(`merchant to ${after.merchant}`);
  if (changed('budgetMonth')) parts.push(`budget month to ${after.budgetMonth}`);
  if (changed('splits')) parts.push(after.splits.length === 0 ? 'splits to none' : 'splits');
  if (changed('note')) parts.push('note');
  if (changed('location')) parts.push('location');
  return `changed the ${before.type} at ${before.merchant}: ${parts.join(', ')}`;
}

function transactionName(
  { data: { id, budgetMonth } }: EventOf<'TransactionDeleted' | 'TransactionRestored'>,
  names: PresentNames,
): string {
  const merchant = names.merchant(id);
  return merchant === undefined ? `of ${budgetMonth}` : `at ${merchant} of ${budgetMonth}`;
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

function withPlan(planned: number): string {
  return planned === 0 ? '' : `, planning ${money(planned)}`;
}

function untrackedToo({
  untracked: { transactionIds },
}: LedgerEventData['ItemRemoved' | 'GroupRemoved' | 'MonthReplaced']): string {
  const { length } = transactionIds;
  if (length === 0) return '';
  return `, which untracked ${length === 1 ? 'one transaction' : `${length} transactions`}`;
}

/** `1250` is 12.50: minor units, with two decimals. */
function money(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '−' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
