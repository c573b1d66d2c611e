import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError, notFound } from '#http/api-error';
import type { Scope } from '#http/access';
import { shownEventId, storedEventId } from '#http/path-params';
import type { Answer } from '#http/repeatable-write';
import { UserNames } from '#identity/accounts/accounts';
import type { Caller } from '#identity/access/caller';
import { requireScope } from '#identity/access/guards';
import { Refusal } from '#ledger/refusal';
import { undoneBy } from '#ledger/undo/later-commands';
import { transactionView, usersOf, type TransactionView } from '#projections/transaction-document';
import { CommandLog, type RecordedCommandEvents } from '#engine/commands/command-log';
import { laterThan } from '#engine/commands/command-facts';
import { changedMonthViews } from '#projections/month-document';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { Executed } from '#engine/commands/command-call';
import type { HouseholdCall } from '../household-call.js';
import type { UndoneResponse } from './activity.response.js';

/** Reverses one command as a whole by a compensating event; undoing an undoing redoes. */
export class UndoCommand extends Command<Answer<UndoneResponse>> {
  constructor(
    readonly call: HouseholdCall,
    readonly caller: Caller,
    /** As the API shows it. */
    readonly shownId: string,
  ) {
    super();
  }
}

@CommandHandler(UndoCommand)
export class UndoCommandHandler implements ICommandHandler<UndoCommand> {
  constructor(
    private readonly log: CommandLog,
    private readonly commands: HouseholdCommands,
    private readonly userNames: UserNames,
  ) {}

  /** @throws ApiError `insufficient_scope`, `not_found`; as `HouseholdCommands.handle` */
  async execute({ call, caller, shownId }: UndoCommand): Promise<Answer<UndoneResponse>> {
    const named = storedEventId(shownId);
    const target = named === null ? null : await this.log.commandOf(call.householdId, named);
    // `details.resource` does not name events: it says that the path leads nowhere.
    if (target === null) throw notFound('route', 'This household has no such event.');
    requireScope(caller, scopeOf(target));
    // Whichever of its events is named, by its first one a command is known.
    const eventId = target[0].id;
    const executed = await this.undo(call, eventId);
    const body = {
      event_id: shownEventId(await this.undoing(call.householdId, target, executed)),
      months: changedMonthViews(call.householdId, executed),
      transaction: await this.transaction(executed),
      untracked_count: executed.household.untracked.count,
    };
    return { body, replayed: executed.replayed };
  }

  private async undo(call: HouseholdCall, eventId: string): Promise<Executed> {
    try {
      return await this.commands.handle(call, { type: 'UndoCommand', eventId });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'undo_blocked') throw error;
      const { code, message, details } = error;
      throw new ApiError(code, { by_event_id: shownEventId(String(details['by_event_id'])) }, { message });
    }
  }

  /** The event that reversed the command: now, or back then where this is a repetition or it was undone already. */
  private async undoing(
    householdId: string,
    target: RecordedCommandEvents,
    { events, recorded }: Executed,
  ): Promise<string> {
    if (events[0]) return events[0].id;
    if (recorded) {
      const event = await this.log.eventAt(householdId, recorded.firstRevision);
      if (event) return event.id;
    }
    const eventId = target[0].id;
    // Redone by somebody else since it was decided: then no undoing holds any more.
    return undoneBy(eventId, await laterThan(this.log, householdId, target)) ?? eventId;
  }

  private async transaction({ transactions, household }: Executed): Promise<TransactionView | null> {
    const [transaction, another] = transactions.values();
    if (!transaction || another) return null;
    const names = await this.userNames.namesOf(usersOf([transaction]));
    return transactionView(transaction, { get: id => household.items.get(id)?.name }, names);
  }
}

/** The scope of the command that is reversed. */
function scopeOf([first]: RecordedCommandEvents): Scope {
  const types = first.type === 'CommandUndone' ? first.data.events.map(({ type }) => type) : [first.type];
  return types.every(type => type.startsWith('Transaction')) ? 'transactions:write' : 'budget:write';
}
