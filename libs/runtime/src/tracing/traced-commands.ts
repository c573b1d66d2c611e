import type { Command } from '#ledger/commands';
import type { CommandEnvelope } from '#engine/commands/command-envelope';
import { CommandHandler, type HandlingOptions } from '#engine/commands/command-handler';
import type { Executed } from '#engine/commands/executed';
import type { Tracing } from './tracing.js';

/** Commands that show in traces, by their type and household. */
export class TracedCommands extends CommandHandler {
  constructor(
    private readonly tracing: Tracing,
    ...handler: ConstructorParameters<typeof CommandHandler>
  ) {
    super(...handler);
  }

  override handle(
    householdId: string,
    command: Command,
    envelope: CommandEnvelope,
    options?: HandlingOptions,
  ): Promise<Executed> {
    const attributes = { 'ledger.command': command.type, 'ledger.household_id': householdId };
    return this.tracing.child(`execute ${command.type}`, attributes, () =>
      super.handle(householdId, command, envelope, options),
    );
  }
}
