import type { Command } from '#ledger/commands';
import type { Precondition } from '#streams/command-failures';
import type { CommandEnvelope } from '#streams/command-envelope';
import type { Executed } from '#streams/executed';
import { LiveStreams } from '#streams/generations/live-streams';
import type { Tracing } from './tracing.js';

/** Streams whose commands show in traces, by the command's type and household. */
export class TracedStreams extends LiveStreams {
  constructor(
    private readonly tracing: Tracing,
    ...streams: ConstructorParameters<typeof LiveStreams>
  ) {
    super(...streams);
  }

  override execute(
    householdId: string,
    command: Command,
    envelope: CommandEnvelope,
    precondition?: Precondition,
  ): Promise<Executed> {
    const attributes = { 'ledger.command': command.type, 'ledger.household_id': householdId };
    return this.tracing.child(`execute ${command.type}`, attributes, () =>
      super.execute(householdId, command, envelope, precondition),
    );
  }
}
