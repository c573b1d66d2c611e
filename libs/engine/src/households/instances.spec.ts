import assert from 'node:assert/strict';
import fc from 'fast-check';
import { after, before, describe, it } from 'node:test';
import type { Command } from '#ledger/commands';
import { histories, live, type Wish } from '#ledger/histories.scenario';
import { Refusal } from '#ledger/refusal';
import { type Envelope, chained, recordedEvents, streamOf } from './household-stream.js';
import {
  envelope,
  everyDocument,
  freshId,
  MODELS,
  workplace,
  type Workplace,
  type CommandStreams,
} from './streams.scenario.js';
import { propertyRuns } from '../../../../test/property-runs.js';

/** A wish, what of all that was recorded is undone after it (of three, one), and at which instances. */
type Turn = readonly [wish: Wish, undone: number, instances: number];
const turns = (maxLength: number): fc.Arbitrary<readonly Turn[]> =>
  histories(maxLength).chain(wishes =>
    fc
      .array(fc.tuple(fc.nat(997), fc.nat(997)), { minLength: wishes.length, maxLength: wishes.length })
      .map(picks => wishes.map((wish, i): Turn => [wish, ...picks[i]!])),
  );

describe('instances that know an older state of a household', () => {
  let several: Workplace;
  let single: Workplace;
  before(async () => {
    [several, single] = [await workplace(), await workplace()];
  });
  after(async () => {
    await several.close();
    await single.close();
  });

  it('answer every command, and every undoing, as a single one does', async () => {
    const undone = { done: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(turns(40), async history => {
        const householdId = freshId();
        const { scenario, steps } = live(history.map(([wish]) => wish));
        const begin = envelope();
        const first = recordedEvents(householdId, -1, scenario.events.slice(0, 1), begin);
        const { events } = chained(householdId, first, null, [], begin);
        for (const { store } of [several, single])
          await store.append(streamOf(householdId), -1, events as never);
        const instances = [several.instance(), several.instance(), several.instance()];
        const alone = single.instance();
        for (const streams of [...instances, alone]) await streams.catchUp(householdId);
        const recorded: string[] = [];
        const compare = async (command: Command, at: number): Promise<boolean> => {
          const sent = envelope();
          const expected = await answerOf(alone, householdId, command, sent);
          const answer = await answerOf(instances[at % instances.length]!, householdId, command, sent);
          assert.deepEqual(answer, expected, command.type);
          if (!('events' in expected) || expected.events.length === 0) return false;
          recorded.push(expected.events[0]!.id);
          return true;
        };
        for (const [i, [, pick, at]] of history.entries()) {
          await compare(steps[i]!.command, at);
          if (pick % 3 !== 0 || recorded.length === 0) continue;
          const eventId = recorded[(pick / 3) % recorded.length]!;
          undone[(await compare({ type: 'UndoCommand', eventId }, at >> 2)) ? 'done' : 'refused']++;
        }
      }),
      { numRuns: propertyRuns(25), endOnFailure: true },
    );
    assert.ok(undone.done > 0 && undone.refused > 0, JSON.stringify(undone));
    const documents = [...(await everyDocument(several.documents, MODELS))];
    assert.deepEqual(documents.sort(), [...(await everyDocument(single.documents, MODELS))].sort());
  });
});

async function answerOf(streams: CommandStreams, householdId: string, command: Command, sent: Envelope) {
  try {
    const { household, events, months, transactions, replayed } = await streams.execute(
      householdId,
      command,
      sent,
    );
    return { household, events, months, transactions, replayed };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, details: error.details };
  }
}
