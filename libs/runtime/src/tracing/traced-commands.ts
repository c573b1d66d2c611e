import type { Command } from '#ledger/commands';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { CommandCall, Executed } from '#engine/commands/command-call';
import type { Tracing } from './tracing.js';

/** Commands that show in traces, by their type and household. */
export class TracedCommands extends HouseholdCommands {
  constructor(
    private readonly tracing: Tracing,
    ...commands: ConstructorParameters<typeof HouseholdCommands>
  ) {
    super(...commands);
  }

  override handle(call: CommandCall, command: Command): Promise<Executed> {
    const attributes = { 'ledger.command': command.type, 'ledger.household_id': call.householdId };
    return this.tracing.child(`execute ${command.type}`, attributes, () => super.handle(call, command));
  }
}
