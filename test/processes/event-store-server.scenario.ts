import { StreamsServiceFake } from '#test-servers/eventstoredb-fake/streams-service-fake';
import { startEventStoreDb } from '#test-servers/eventstoredb-server';
import { Link } from './link.scenario.js';

/** An event store that a test takes away and gives back. */
export interface EventStoreServer {
  readonly url: string;
  /** As SIGKILL does: what was committed stays. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** It takes connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** The fake behind a link of its own; its faults are the test's to set. */
export class FakeEventStore implements EventStoreServer {
  private constructor(
    readonly fake: StreamsServiceFake,
    private readonly link: Link,
  ) {}

  static async start(): Promise<FakeEventStore> {
    const fake = await StreamsServiceFake.start();
    return new FakeEventStore(fake, await Link.to(fake.port));
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.link.port}?tls=false`;
  }

  async kill(): Promise<void> {
    this.fake.kill();
    await this.link.close();
  }

  async restart(): Promise<void> {
    await this.fake.listen();
    await this.link.listen();
  }

  freeze(): void {
    this.link.hold();
  }

  thaw(): void {
    this.link.release();
  }

  async stop(): Promise<void> {
    this.fake.kill();
    await this.link.close();
  }
}

/** A real server where one can be started, and the fake otherwise. */
export async function startEventStore(): Promise<EventStoreServer> {
  return (await startEventStoreDb()) ?? (await FakeEventStore.start());
}
