import type { Month } from './calendar.js';
import type { GroupAttributes, Kind, Location, Split, TransactionContent, Ulid } from './events.js';
import type { Amount } from './money.js';

/** How many fresh ids a command needs that may lay out the default template. */
export const TEMPLATE_IDS = 40;

/** Fields of a change; what is absent stays as it is. */
export interface TransactionChanges {
  readonly type?: Kind;
  readonly amount?: Amount;
  readonly date?: string;
  readonly merchant?: string;
  readonly note?: string | null;
  readonly budgetMonth?: Month;
  readonly splits?: readonly Split[];
  readonly location?: Location | null;
}

/** A command about one transaction. */
export type TransactionCommand =
  | { readonly type: 'CreateTransaction'; readonly id: Ulid; readonly content: TransactionContent }
  | { readonly type: 'ChangeTransaction'; readonly id: Ulid; readonly changes: TransactionChanges }
  | { readonly type: 'DeleteTransaction'; readonly id: Ulid }
  | { readonly type: 'RestoreTransaction'; readonly id: Ulid };

/** Everything that can be asked of a household's budget. Ids are drawn by the caller: a decision makes none. */
export type Command =
  | { readonly type: 'CreateMonth'; readonly month: Month; readonly newIds: readonly Ulid[] }
  | {
      readonly type: 'ResetMonth';
      readonly month: Month;
      readonly mode: 'zero' | 'replace';
      readonly newIds: readonly Ulid[];
    }
  | {
      readonly type: 'AddGroup';
      readonly month: Month;
      readonly groupId: Ulid;
      readonly name: string;
      /** `#rrggbb`; the next colour of the palette when absent. */
      readonly color?: string;
    }
  | { readonly type: 'PlaceGroup'; readonly month: Month; readonly groupId: Ulid }
  | { readonly type: 'ChangeGroup'; readonly groupId: Ulid; readonly changes: GroupAttributes }
  | { readonly type: 'RemoveGroup'; readonly month: Month; readonly groupId: Ulid }
  | { readonly type: 'OrderGroups'; readonly month: Month; readonly groupIds: readonly Ulid[] }
  | {
      readonly type: 'AddItem';
      readonly month: Month;
      readonly groupId: Ulid;
      readonly itemId: Ulid;
      readonly name: string;
      readonly planned: Amount;
      readonly note: string | null;
    }
  | {
      readonly type: 'PlaceItem';
      readonly month: Month;
      readonly groupId: Ulid;
      readonly itemId: Ulid;
      readonly planned: Amount;
      readonly note: string | null;
    }
  | {
      readonly type: 'ChangeItem';
      readonly itemId: Ulid;
      readonly name?: string;
      readonly favorite?: boolean;
      readonly fundTarget?: Amount | null;
      readonly endFund?: boolean;
    }
  | {
      readonly type: 'PlanItem';
      readonly month: Month;
      readonly itemId: Ulid;
      readonly planned?: Amount;
      readonly note?: string | null;
    }
  | { readonly type: 'RemoveItem'; readonly month: Month; readonly itemId: Ulid }
  | {
      readonly type: 'OrderItems';
      readonly month: Month;
      readonly groupId: Ulid;
      readonly itemIds: readonly Ulid[];
    }
  | {
      readonly type: 'OpenFund';
      readonly month: Month;
      readonly itemId: Ulid;
      readonly openingBalance: Amount;
    }
  | {
      readonly type: 'UpdateFundBalance';
      readonly month: Month;
      readonly itemId: Ulid;
      readonly balance: Amount;
    }
  | { readonly type: 'HarvestItem'; readonly month: Month; readonly itemId: Ulid }
  | TransactionCommand
  /** Decided in their order, each on what the earlier ones left, and recorded together. */
  | {
      readonly type: 'BatchTransactions';
      readonly operations: readonly TransactionCommand[];
      /** Creations of ids that are there already are left out, whatever their content. */
      readonly skipKnown: boolean;
    }
  /** Reverses the command whose first event has this id. */
  | { readonly type: 'UndoCommand'; readonly eventId: string };

export type CommandOf<T extends Command['type']> = Extract<Command, { readonly type: T }>;

/** The transactions that a command names, each once, in the order of first mention. */
export function namedTransactions(command: Command): readonly Ulid[] {
  if (command.type === 'BatchTransactions') return [...new Set(command.operations.map(({ id }) => id))];
  return 'id' in command ? [command.id] : [];
}

/** Whether a command does nothing but create transactions: where it records nothing, all of them were there before. */
export function onlyCreates(command: Command): boolean {
  if (command.type !== 'BatchTransactions') return command.type === 'CreateTransaction';
  return command.operations.every(({ type }) => type === 'CreateTransaction');
}
