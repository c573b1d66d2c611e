import type { Delivery, EventStore, RecordedEvent, SubscriptionOptions } from '../event-store.js';

/** Bound of every wait for a delivery; nothing depends on how long it really takes. */
const WAIT_MS_MAX = 120_000;

/** A subscription that runs until it is stopped, with what it delivered. */
export class Follower {
  readonly deliveries: Delivery[] = [];
  readonly events: RecordedEvent[] = [];
  private readonly controller = new AbortController();
  private readonly finished: Promise<void>;
  private changed: () => void = () => undefined;
  private failure: { readonly error: unknown } | undefined;

  /** @param handle what the consumer does with each delivery before it asks for the next one */
  constructor(
    store: EventStore,
    options: Omit<SubscriptionOptions, 'signal'>,
    private readonly handle: (delivery: Delivery) => Promise<void> | void = () => undefined,
  ) {
    this.finished = this.run(store.subscribe({ ...options, signal: this.controller.signal }));
  }

  get isCaughtUp(): boolean {
    return this.deliveries.some(({ kind }) => kind === 'caught-up');
  }

  /** The position from which another subscription goes on. */
  get position(): string | undefined {
    return this.deliveries.reduce<string | undefined>((position, delivery) => {
      if (delivery.kind === 'events') return delivery.events.at(-1)?.position;
      return delivery.kind === 'checkpoint' ? delivery.position : position;
    }, undefined);
  }

  /** Waits for deliveries until the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`not delivered in ${WAIT_MS_MAX} ms; so far ${this.events.length} events`)),
        WAIT_MS_MAX,
      );
    });
    try {
      while (!condition()) {
        if (this.failure !== undefined) throw this.failure.error;
        await Promise.race([timedOut, new Promise<void>(resolve => (this.changed = resolve))]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts and waits for the end of the iteration, which must be without an error. */
  async stop(): Promise<void> {
    this.controller.abort();
    await this.ended();
  }

  async ended(): Promise<void> {
    await this.finished;
    if (this.failure !== undefined) throw this.failure.error;
  }

  private async run(deliveries: AsyncIterable<Delivery>): Promise<void> {
    try {
      for await (const delivery of deliveries) {
        this.deliveries.push(delivery);
        if (delivery.kind === 'events') this.events.push(...delivery.events);
        this.changed();
        await this.handle(delivery);
      }
    } catch (error) {
      this.failure = { error };
      this.changed();
    }
  }
}
