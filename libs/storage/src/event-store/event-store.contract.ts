import { after, before, describe } from 'node:test';
import { describeAppends, describeRefusals, describeRepetitions } from './contract/appends.contract.js';
import { describeDeletions } from './contract/deletions.contract.js';
import { Names, type Context, type EventStoreHarness } from './contract/streams.fixture.js';
import { describeProperties } from './contract/histories.contract.js';
import { describeJson, describeReadAll, describeReadStream } from './contract/reads.contract.js';
import { describeClosing, describeSubscriptions } from './contract/subscriptions.contract.js';

/** Every rule of the port `EventStore`, to be kept by each adapter. */
export function eventStoreContract(name: string, open: () => Promise<EventStoreHarness>): void {
  const suites: Record<string, (context: Context) => void> = {
    appends: describeAppends,
    'repeated appends': describeRepetitions,
    'refused appends': describeRefusals,
    deletions: describeDeletions,
    'stored JSON': describeJson,
    'reading a stream': describeReadStream,
    'reading all': describeReadAll,
    subscriptions: describeSubscriptions,
    'random histories': describeProperties,
    closing: describeClosing,
  };
  for (const [title, describeSuite] of Object.entries(suites)) {
    describe(`${name}: ${title}`, () => {
      let harness: EventStoreHarness;
      before(async () => {
        harness = await open();
      });
      after(() => harness.close());
      describeSuite({ names: new Names(), store: () => harness.store, harness: () => harness });
    });
  }
}
