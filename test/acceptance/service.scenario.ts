import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { pino } from 'pino';
import { BudgetModule } from '#budget/budget.module';
import { ReadGate } from '#budget/read-gate';
import { Documents } from '#documents/documents';
import { SqliteDocuments } from '#documents/sqlite/sqlite-documents';
import { EventStore } from '#event-store/event-store';
import { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store';
import { createHttpApp } from '#http/create-http-app';
import { Accounts, DEFAULT_SETTINGS } from '#identity/accounts/account-records';
import { Households } from '#identity/households/households';
import { IDENTITY_COLLECTIONS } from '#identity/identity-services.module';
import { IdentityModule } from '#identity/identity.module';
import { Sessions } from '#identity/sessions/sessions';
import {
  Clock,
  IdentityConfiguration,
  Randomness,
  SecretKey,
  SystemClock,
  SystemRandomness,
} from '#identity/surroundings';
import { HouseholdStreams } from '#streams/household-streams';
import { FIRST_GENERATION, readModelsOf } from '#streams/read-models';

/** A user of the running service. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly householdId: string;
}

/** The service, running for a test. */
export interface Service {
  /** Without a slash at its end. */
  readonly origin: string;
  signUp(name: string): Promise<User>;
  /** Another household of the user. @returns its id */
  createHousehold(user: User): Promise<string>;
  archive(user: User, householdId: string): Promise<void>;
  stop(): Promise<void>;
}

@Global()
@Module({})
class StandIn {
  static of(providers: Provider[]): DynamicModule {
    return { module: StandIn, providers, exports: providers };
  }
}

@Module({})
class Root {}

export async function startService(): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), 'ledger-acceptance-'));
  const models = readModelsOf(FIRST_GENERATION);
  const eventStore = SqliteEventStore.open({ file: join(directory, 'events.db') });
  const documents = SqliteDocuments.open({ directory });
  await documents.ensure([...IDENTITY_COLLECTIONS, ...HouseholdStreams.collections(models)]);
  const streams = new HouseholdStreams(eventStore, documents, models);
  const standIn = StandIn.of([
    { provide: EventStore, useValue: eventStore },
    { provide: Documents, useValue: documents },
    { provide: HouseholdStreams, useValue: streams },
    { provide: ReadGate, useValue: { ready: () => undefined } },
    { provide: SecretKey, useValue: new SecretKey(Buffer.alloc(32, 7)) },
    { provide: Clock, useValue: new SystemClock() },
    { provide: Randomness, useValue: new SystemRandomness() },
    { provide: IdentityConfiguration, useValue: { allowedEmails: ['*'], appUrl: () => '' } },
  ]);
  const module: DynamicModule = { module: Root, imports: [standIn, IdentityModule, BudgetModule] };
  const app = await createHttpApp(module, {
    logger: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }),
    description: { title: 'Household Ledger', version: '0', tags: {} },
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { readonly port: number };
  const randomness = new SystemRandomness();
  return {
    origin: `http://127.0.0.1:${port}`,
    async signUp(name) {
      const now = Date.now();
      const id = randomness.ulid(now);
      const householdId = randomness.ulid(now);
      const account = {
        key: id,
        revision: 1,
        email: `${id}@example.org`,
        emailFolded: `${id}@example.org`.toLowerCase(),
        name,
        passwordHash: '',
        passwordChangedAt: now,
        sessionEpoch: 1,
        survivingSession: null,
        personalHouseholdId: householdId,
        defaultHouseholdId: householdId,
        settings: DEFAULT_SETTINGS,
        createdAt: now,
      };
      await app.get(Accounts, { strict: false }).insert(account);
      await app.get(Households, { strict: false }).ensurePersonal(account);
      const token = await app.get(Sessions, { strict: false }).start(account, 'mobile', 'test');
      return { id, name, token, householdId };
    },
    async createHousehold(user) {
      return (await app.get(Households, { strict: false }).create('Cabin', user.id)).key;
    },
    async archive(user, householdId) {
      const households = app.get(Households, { strict: false });
      await households.change(householdId, draft => draft.setArchived(true, user.id));
    },
    async stop() {
      await app.close();
      await streams.settle();
      await eventStore.close();
      await documents.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
