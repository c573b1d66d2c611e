import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AmountField, NameField, NoteField, UlidField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import type { CommandOf } from '#ledger/commands';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import { knownId } from '../either-new-or-known.js';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** Either a new item, by its name, or one that the household already has, by its id. */
export class AddItemBody {
  @NameField({ optional: true, description: 'The name of a new item' })
  name?: string;

  @UlidField({ optional: true, description: 'An existing item of the household, instead of a new one' })
  item_id?: string;

  @AmountField({ min: 0, default: 0, description: 'The planned amount for the month', example: 60000 })
  planned!: number;

  @NoteField({ optional: true, description: 'A note on the item in this month' })
  note?: string | null;
}

/** Adds an item to a group of a month, last. */
export class AddItem extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly groupId: string,
    readonly body: AddItemBody,
  ) {
    super();
  }
}

@CommandHandler(AddItem)
export class AddItemHandler implements ICommandHandler<AddItem> {
  constructor(private readonly commands: HouseholdCommands) {}

  /** @throws ApiError `validation_failed` for a body that is neither a new item nor a known one */
  async execute({ call, month, groupId, body }: AddItem): Promise<Answer<MonthView>> {
    const executed = await this.commands.handle(call, this.toLedger(month, groupId, body));
    return monthAnswer(call.householdId, executed, month);
  }

  private toLedger(month: string, groupId: string, body: AddItemBody): CommandOf<'AddItem' | 'PlaceItem'> {
    const { name = '', planned, note = null } = body;
    const itemId = knownId(body, 'item_id', ['name']);
    return itemId === null
      ? { type: 'AddItem', month, groupId, itemId: this.commands.freshId(), name, planned, note }
      : { type: 'PlaceItem', month, groupId, itemId, planned, note };
  }
}
