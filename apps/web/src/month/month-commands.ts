import { LedgerError, type LedgerClient, type Schemas } from '#client/client';
import { apiOf } from '../api/client.js';
import { inTurn } from '../api/commands.js';
import { confirmedMonth, optimistically, readAgain, revisionOf, storeMonth } from '../api/month-cache.js';
import { queryClient } from '../api/query-client.js';
import { hasCode } from '../api/sentences.js';
import type { Item, Month } from '../api/types.js';
import { undoCommand } from '../api/undo.js';
import { sayDone } from '../ui/toasts.js';
import { askWhich } from '../ui/which.js';
import { findItem, type MonthPatch } from './month-patches.js';
import type { ItemOrder } from './order.js';

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

const ATTEMPTS = 4;

/** The commands of one month. Each shows what it answers; several also show their effect before. */
export class MonthCommands {
  private readonly api: LedgerClient;

  constructor(
    private readonly household: string,
    readonly month: string,
  ) {
    this.api = apiOf(household);
  }

  create(): Promise<void> {
    return this.run('Created this month.', () =>
      this.api.POST('/months/{month}', { params: { path: this.path } }),
    );
  }

  /** Plans an amount. @param from what was planned when the person began to type */
  async plan(item: Item, from: number, planned: number, written: (amount: number) => string): Promise<void> {
    const path = { ...this.path, itemId: item.id };
    await this.change(
      { kind: 'plan', itemId: item.id, planned },
      {
        what: `The plan for ${item.name}`,
        base: from,
        mine: planned,
        read: month => findItem(month, item.id)?.planned,
        write: value => written(value),
        send: headers =>
          this.api.PATCH('/months/{month}/items/{itemId}', {
            params: { path, header: headers },
            body: { planned },
          }),
      },
      `Planned ${written(planned)} for ${item.name}.`,
    );
  }

  /** Writes an item's note of this month. @param from the note when the person began to type */
  async note(item: Item, from: string | null, note: string | null): Promise<void> {
    const path = { ...this.path, itemId: item.id };
    await this.change(
      { kind: 'item', itemId: item.id, fields: { note } },
      {
        what: `The note of ${item.name}`,
        base: from,
        mine: note,
        read: month => findItem(month, item.id)?.note,
        write: value => value ?? '(no note)',
        send: headers =>
          this.api.PATCH('/months/{month}/items/{itemId}', {
            params: { path, header: headers },
            body: { note },
          }),
      },
      `Saved the note of ${item.name}.`,
    );
  }

  /** Changes what an item is in every month. */
  async changeItem(item: Item, fields: Schemas['ChangeItemBody']): Promise<void> {
    const shown = { ...fields };
    delete shown.is_fund;
    await this.optimistic({ kind: 'item', itemId: item.id, fields: shown }, async () => {
      const { error, response } = await this.api.PATCH('/items/{itemId}', {
        params: { path: { itemId: item.id } },
        body: fields,
      });
      if (!response.ok) throw LedgerError.of(response, error);
      await this.readAllAgain();
    });
    this.sayDone(`Changed ${fields.name ?? item.name}.`);
  }

  /** Changes what a group is in every month. */
  async changeGroup(groupId: string, fields: Schemas['ChangeGroupBody']): Promise<void> {
    await this.optimistic({ kind: 'group', groupId, fields }, async () => {
      const { error, response } = await this.api.PATCH('/groups/{groupId}', {
        params: { path: { groupId } },
        body: fields,
      });
      if (!response.ok) throw LedgerError.of(response, error);
      await this.readAllAgain();
    });
    this.sayDone('Changed the group.');
  }

  /** Adds a new group, or one of another month. */
  addGroup(body: Schemas['AddGroupBody'], name: string): Promise<void> {
    return this.run(`Added the group ${name}.`, () =>
      this.api.POST('/months/{month}/groups', { params: { path: this.path }, body }),
    );
  }

  /** Adds a new item, or one of another month. */
  addItem(groupId: string, body: Schemas['AddItemBody'], name: string): Promise<void> {
    return this.run(`Added ${name}.`, () =>
      this.api.POST('/months/{month}/groups/{groupId}/items', {
        params: { path: { ...this.path, groupId } },
        body,
      }),
    );
  }

  async orderGroups(groupIds: readonly string[]): Promise<void> {
    await this.optimistic({ kind: 'group-order', groupIds }, () =>
      this.run(
        'Moved the group.',
        () =>
          this.api.PUT('/months/{month}/group-order', {
            params: { path: this.path },
            body: { group_ids: [...groupIds] },
          }),
        false,
      ),
    );
  }

  async orderItems({ groupId, itemIds }: ItemOrder): Promise<void> {
    await this.optimistic({ kind: 'item-order', groupId, itemIds }, () =>
      this.run(
        'Moved the item.',
        () =>
          this.api.PUT('/months/{month}/groups/{groupId}/item-order', {
            params: { path: { ...this.path, groupId } },
            body: { item_ids: [...itemIds] },
          }),
        false,
      ),
    );
  }

  removeItem(item: Item): Promise<void> {
    return this.run(`Deleted ${item.name} from this month.`, () =>
      this.api.DELETE('/months/{month}/items/{itemId}', {
        params: { path: { ...this.path, itemId: item.id } },
      }),
    );
  }

  removeGroup(groupId: string, name: string): Promise<void> {
    return this.run(`Deleted the group ${name} from this month.`, () =>
      this.api.DELETE('/months/{month}/groups/{groupId}', { params: { path: { ...this.path, groupId } } }),
    );
  }

  reset(mode: 'zero' | 'replace'): Promise<void> {
    return this.run('Reset this month.', () =>
      this.api.POST('/months/{month}/reset', { params: { path: this.path }, body: { mode } }),
    );
  }

  openFund(item: Item, balance: number): Promise<void> {
    return this.run(`${item.name} is a fund now.`, () =>
      this.api.POST('/months/{month}/items/{itemId}/fund', {
        params: { path: { ...this.path, itemId: item.id } },
        body: { current_balance: balance },
      }),
    );
  }

  updateBalance(item: Item, balance: number): Promise<void> {
    return this.run(`Updated the balance of ${item.name}.`, () =>
      this.api.POST('/months/{month}/items/{itemId}/fund-balance', {
        params: { path: { ...this.path, itemId: item.id } },
        body: { current_balance: balance },
      }),
    );
  }

  async harvest(item: Item, written: (amount: number) => string): Promise<void> {
    await inTurn(async () => {
      const { data, error, response } = await this.api.POST('/months/{month}/items/{itemId}/harvest', {
        params: { path: { ...this.path, itemId: item.id } },
      });
      if (!data) throw LedgerError.of(response, error);
      this.store(data.month, response, `Harvested ${written(data.harvested)} from ${item.name}.`);
    });
  }

  private get path(): { month: string } {
    return { month: this.month };
  }

  /** Sends a command that answers the month. */
  private async run(done: string, send: () => Promise<Answer<Month>>, isInTurn = true): Promise<void> {
    const answered = async (): Promise<void> => {
      const { data, error, response } = await send();
      if (!data) throw LedgerError.of(response, error);
      this.store(data, response, done);
    };
    await (isInTurn ? inTurn(answered) : answered());
  }

  private optimistic(patch: MonthPatch, send: () => Promise<void>): Promise<void> {
    return optimistically(this.household, this.month, patch, send);
  }

  /** Changes a value which somebody else may have changed meanwhile; then both are shown, and one is chosen. */
  private async change<Value>(
    patch: MonthPatch,
    edit: {
      readonly what: string;
      readonly base: Value;
      readonly mine: Value;
      readonly read: (month: Month) => Value | undefined;
      readonly write: (value: Value) => string;
      readonly send: (headers: { 'If-Match'?: string }) => Promise<Answer<Month>>;
    },
    done: string,
  ): Promise<void> {
    await this.optimistic(patch, async () => {
      let expected = edit.base;
      for (let attempt = 1; ; attempt += 1) {
        const confirmed = confirmedMonth(this.household, this.month);
        const present = confirmed && edit.read(confirmed.month);
        if (present !== undefined && present !== null && present !== expected && present !== edit.mine) {
          const choice = await askWhich({
            what: edit.what,
            mine: edit.write(edit.mine),
            theirs: edit.write(present),
          });
          if (choice === 'theirs') return;
          expected = present;
        }
        const etag = confirmed?.etag;
        const { data, error, response } = await edit.send(etag ? { 'If-Match': etag } : {});
        if (data) return this.store(data, response, done);
        const refusal = LedgerError.of(response, error);
        if (!hasCode(refusal, 'precondition_failed') || attempt === ATTEMPTS) throw refusal;
        await readAgain(this.household, this.month);
      }
    });
  }

  private store(month: Month, response: Response, done: string): void {
    const etag = response.headers.get('ETag');
    storeMonth(this.household, month, etag);
    // Balances that are carried on may have moved in later months.
    void queryClient.invalidateQueries({
      queryKey: [this.household, 'month'],
      predicate: query => String(query.queryKey[2]) > this.month,
    });
    this.sayDone(done);
  }

  /** Says what was done, and offers to undo it: the latest command that the month shows. */
  private sayDone(done: string): void {
    const revision = revisionOf(confirmedMonth(this.household, this.month)?.etag ?? null);
    sayDone(done, () => void undoCommand(this.household, revision === -1 ? undefined : revision));
  }

  /** Names and colours are those of every month. */
  private async readAllAgain(): Promise<void> {
    await readAgain(this.household, this.month);
    void queryClient.invalidateQueries({
      queryKey: [this.household, 'month'],
      predicate: query => query.queryKey[2] !== this.month,
    });
  }
}
