// The accounts' and households' part of the API over a real port: documents in a database of its own where MONGODB_URL
// names a server, else embedded ones in a temporary directory; a clock that the test moves, a queue that runs jobs at once, and mails that stay here.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import {
  Body,
  Controller,
  Get,
  Global,
  Module,
  Post,
  Query,
  Req,
  type DynamicModule,
  type Provider,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { keysUnder } from '#storage/documents/declared';
import { Documents, DocumentsUnavailable } from '#storage/documents/documents';
import { MongoDocuments } from '#storage/mongodb/mongo-documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { Access } from '#http/access';
import { Answers } from '#http/answers';
import { createHttpApp } from '#http/create-http-app';
import { NameField, UlidField } from '#http/fields';
import { CurrentCaller, CurrentMembership, type Caller, type Membership } from '#identity/access/caller';
import { AccessGuard, HouseholdInQuery } from '#identity/access/guards';
import { HOUSEHOLDS, MEMBERSHIP_LOG, type MembershipEntry } from '#identity/households/household-records';
import { IdentityJobsModule, IDENTITY_COLLECTIONS } from '#identity/identity-services.module';
import { IdentityModule } from '#identity/identity.module';
import { Randomness, SecretKey } from '#identity/secrets';
import { BudgetHistories, IdentityConfiguration } from '#identity/surroundings';
import { Clock } from '#concurrency/clock';
import {
  JobQueue,
  JobsUnavailable,
  type JobHandler,
  type NewJob,
  type QueueStats,
} from '#storage/jobs/job-queue';
import { Mailer, type MailMessage } from '#mail/mailer';
import { drawDatabase, dropDatabase, urlOfDatabase } from '#test-servers/databases';
import { dumpDatabase, storedBytes } from '../stored-bytes.js';

export const APP_URL = 'https://app.example';
export const PASSWORD = 'four-jars-on-a-shelf';
/** Texts that no link carries, whatever its kind. */
export const NO_TOKENS = ['', ' ', 'A'.repeat(201), 'A'.repeat(900_000), '\u0000', 'a\nb', '\u007f'] as const;
/** A ULID that names nothing. */
export const NOBODY = '01JZ8Q4T0V6W2X3Y4Z5A6B7C8D';

/** Each reading is a millisecond after the one before, as if something took time. */
class TestClock extends Clock {
  // MongoDB removes by its own clock what has expired, so a test's time is never before the present.
  private at = process.env['MONGODB_URL'] ? Date.now() : Date.UTC(2026, 0, 1);

  now(): number {
    this.at += 1;
    return this.at;
  }

  /** Without letting time go by. */
  get present(): number {
    return this.at;
  }

  pass(milliseconds: number): void {
    this.at += milliseconds;
  }
}

/** Runs jobs as soon as it is asked to, one after the other; can be away. */
class TestQueue extends JobQueue {
  away = false;
  private readonly handlers = new Map<string, JobHandler>();
  private working: Promise<void> = Promise.resolve();
  readonly failures: unknown[] = [];

  async enqueue({ queue, id }: NewJob): Promise<void> {
    if (this.away) throw new JobsUnavailable('the queue is away');
    this.working = this.afterwards(this.working, { queue, id });
  }

  private async afterwards(before: Promise<void>, { queue, id }: NewJob): Promise<void> {
    await before;
    try {
      await this.handlers.get(queue)?.({ id, attempt: 1 });
    } catch (error) {
      this.failures.push(error);
    }
  }

  process(queue: string, handler: JobHandler): void {
    this.handlers.set(queue, handler);
  }

  /** Resolves when everything queued so far was tried. */
  async idle(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.working) {
      seen = this.working;
      await seen;
    }
  }

  /** Runs it once: at the start of the process. */
  schedule(_name: string, _everyMs: number, handler: () => Promise<void>): void {
    this.working = Promise.all([this.working, handler()]).then(() => undefined);
  }

  async stats(): Promise<QueueStats> {
    return { pending: 0, running: 0, parked: 0 };
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}
}

/**
 * Writes down what is asked of the store, such as `get accounts`: equal lists cost equal time.
 * @param failing operations of which the next one fails, undone
 */
function recorded(documents: Documents, operations: string[], failing: Set<string>): Documents {
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        const [subject] = args as readonly ({ readonly name?: string } | undefined)[];
        const operation = `${String(name)} ${subject?.name ?? ''}`;
        operations.push(operation);
        if (failing.delete(operation)) return Promise.reject(new DocumentsUnavailable('lost on the way'));
        return Reflect.apply(value, target, args);
      };
    },
  });
}

/** Keeps the mails, and their secrets. */
class TestMailer extends Mailer {
  readonly sent: MailMessage[] = [];
  failure: Error | null = null;

  async send(message: MailMessage): Promise<void> {
    if (this.failure !== null) throw this.failure;
    this.sent.push(message);
  }

  async close(): Promise<void> {}
}

/** Holds the calls of `/probe-long` until a test lets them go on. */
export const longCalls = {
  waiting: [] as (() => void)[],
  arrived: (): void => undefined,
  async wait(): Promise<void> {
    await new Promise<void>(resolve => {
      longCalls.waiting.push(resolve);
      longCalls.arrived();
    });
  },
  /** Resolves when the next call waits. */
  async next(): Promise<void> {
    await new Promise<void>(resolve => {
      longCalls.arrived = resolve;
    });
  },
  goOn(): void {
    for (const resolve of longCalls.waiting.splice(0)) resolve();
  },
};

class ProbeQuery {
  @UlidField({ optional: true })
  household?: string;
}

class ProbeBody {
  @NameField()
  name!: string;
}

/** Stands for the budget's routes. */
@Controller()
class ProbeController {
  constructor(private readonly access: AccessGuard) {}

  /** Answers as a stream would: waits, and looks again before it says something. */
  @Get('probe-long')
  @Access.scope('budget:read', { household: true })
  @Answers(200, undefined, 'Ok')
  async long(@Req() request: FastifyRequest): Promise<object> {
    await longCalls.wait();
    return { membership: await this.access.confirm(request) };
  }

  @Get('probe')
  @Access.scope('budget:read', { household: true })
  @Answers(200, undefined, 'Ok')
  read(@CurrentCaller() caller: Caller, @CurrentMembership() membership: Membership): object {
    return {
      caller: { ...caller, scopes: caller.scopes === 'all' ? 'all' : [...caller.scopes] },
      membership,
    };
  }

  @Get('probe-stream')
  @Access.scope('budget:read', { household: true })
  @HouseholdInQuery()
  @Answers(200, undefined, 'Ok')
  stream(@Query() query: ProbeQuery, @CurrentMembership() membership: Membership): object {
    return { membership, query };
  }

  @Post('probe')
  @Access.scope('budget:write', { household: true })
  @Answers(200, undefined, 'Ok')
  write(@Body() body: ProbeBody, @CurrentMembership() membership: Membership): object {
    return { membership, name: body.name };
  }
}

@Global()
@Module({})
class Surroundings {
  static of(providers: Provider[]): DynamicModule {
    return { module: Surroundings, providers, exports: providers };
  }
}

@Module({ imports: [IdentityModule], controllers: [ProbeController] })
class ProbeModule {}

@Module({})
class Root {}

/** What all servers of this process log: Nest keeps one logger a process, that of the latest application. */
const log: string[] = [];

export interface Answer {
  readonly status: number;
  // What a route answers is checked by the test that reads it.
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** What a spec compares of a refusal. */
export const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];

export interface CallOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ServerOptions {
  readonly allowedEmails?: readonly string[];
  readonly trustProxy?: boolean;
  /** Share the store of another server, as a second instance does. */
  readonly beside?: IdentityServer;
}

async function openDocuments(
  directory: string,
  clock: TestClock,
): Promise<{ readonly documents: Documents; readonly mongodbUrl: string | null }> {
  const given = process.env['MONGODB_URL'];
  const mongodbUrl = given ? urlOfDatabase(given, drawDatabase()) : null;
  const now = (): number => clock.present;
  const documents =
    mongodbUrl === null
      ? LedgerDatabase.open({ directory, now }).documents
      : MongoDocuments.open({ url: mongodbUrl, now });
  await documents.ensure(IDENTITY_COLLECTIONS);
  return { documents, mongodbUrl };
}

/** A signed-in user. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly token: string;
  /** Their personal household. */
  readonly home: string;
}

export class IdentityServer {
  private people = 0;
  private networks = 0;

  private constructor(
    readonly origin: string,
    readonly app: NestFastifyApplication,
    readonly documents: Documents,
    readonly clock: TestClock,
    readonly queue: TestQueue,
    readonly mailer: TestMailer,
    readonly log: string[],
    readonly operations: string[],
    /** Operations, named as in `operations`, of which the next one fails. */
    readonly failing: Set<string>,
    /** Households in whose budgets something was recorded. */
    readonly used: Set<string>,
    private readonly directory: string,
    /** Null: the documents are embedded. */
    readonly mongodbUrl: string | null,
    private readonly ownsStore: boolean,
  ) {}

  static async start(options: ServerOptions = {}): Promise<IdentityServer> {
    const { allowedEmails = ['*'], trustProxy = true, beside } = options;
    const directory = beside?.directory ?? (await mkdtemp(join(tmpdir(), 'ledger-identity-')));
    const clock = beside?.clock ?? new TestClock();
    const { documents, mongodbUrl } = beside ?? (await openDocuments(directory, clock));
    const operations: string[] = [];
    const failing = new Set<string>();
    const used = new Set<string>();
    const queue = new TestQueue();
    const mailer = new TestMailer();
    const budgets: BudgetHistories = {
      hasEvents: async id => used.has(id),
      erase: async id => void used.delete(id),
    };
    const surroundings = Surroundings.of([
      { provide: Documents, useValue: recorded(documents, operations, failing) },
      { provide: JobQueue, useValue: queue },
      { provide: Mailer, useValue: mailer },
      { provide: Clock, useValue: clock },
      Randomness,
      { provide: SecretKey, useValue: new SecretKey(Buffer.alloc(32, 7)) },
      {
        provide: IdentityConfiguration,
        useValue: { allowedEmails, defaultCurrency: 'USD', appUrl: () => APP_URL },
      },
      { provide: BudgetHistories, useValue: budgets },
    ]);
    const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
    const app = await createHttpApp(
      { module: Root, imports: [surroundings, IdentityModule, IdentityJobsModule, ProbeModule] },
      {
        logger,
        trustProxy,
        description: { title: 'Identity', version: '0', introduction: '', limits: '', tags: {} },
      },
    );
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as { readonly port: number };
    const origin = `http://127.0.0.1:${port}`;
    return new IdentityServer(
      origin,
      app,
      documents,
      clock,
      queue,
      mailer,
      log,
      operations,
      failing,
      used,
      directory,
      mongodbUrl,
      beside === undefined,
    );
  }

  async stop(): Promise<void> {
    await this.queue.idle();
    await this.app.close();
    if (!this.ownsStore) return;
    await this.documents.close();
    if (this.mongodbUrl !== null) await dropDatabase(this.mongodbUrl);
    await rm(this.directory, { recursive: true, force: true });
  }

  async call(method: string, path: string, { token, headers = {}, body }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(`${this.origin}/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Answer['body']);
    return { status: response.status, body: parsed, headers: response.headers };
  }

  /** From a network address of its own, so that no throttle of another test counts. */
  from(person: number): Record<string, string> {
    return { 'x-forwarded-for': `10.${person >> 16}.${(person >> 8) & 255}.${person & 255}` };
  }

  /** Those of a network address that no other call has. */
  network(): Record<string, string> {
    this.networks += 1;
    return this.from(60_000 + this.networks);
  }

  /** Calls of a person. */
  as({ token }: Pick<Person, 'token'>) {
    return {
      get: (path: string) => this.call('GET', path, { token }),
      post: (path: string, body?: unknown) => this.call('POST', path, { token, body }),
      patch: (path: string, body: unknown) => this.call('PATCH', path, { token, body }),
      delete: (path: string) => this.call('DELETE', path, { token }),
    };
  }

  /** A visitor with a network address of their own. */
  visitor() {
    const headers = this.network();
    const post = (path: string, body: unknown): Promise<Answer> =>
      this.call('POST', `/auth/password/${path}`, { headers, body });
    return {
      post,
      signUp: (email: string, name = 'Ada', password = PASSWORD) =>
        post('sign-up', { email, name, password }),
      verify: (token: string) => post('verify', { token, client: 'mobile' }),
      signIn: (email: string, password = PASSWORD) => post('sign-in', { email, password, client: 'mobile' }),
    };
  }

  signIn(
    email: string,
    { password = PASSWORD, client = 'mobile', headers = this.network() } = {},
  ): Promise<Answer> {
    return this.call('POST', '/auth/password/sign-in', { headers, body: { email, password, client } });
  }

  /** The status that a credential gets now. */
  async statusOf(token: string): Promise<number> {
    return (await this.call('GET', '/me', { token })).status;
  }

  async membersOf(person: Person, household: string): Promise<Record<string, unknown>[]> {
    const { body } = await this.as(person).get(`/households/${household}/members`);
    return body['members'] as Record<string, unknown>[];
  }

  /** Signs up and verifies. */
  async person(name: string, email = `${name.toLowerCase()}@example.org`): Promise<Person> {
    this.people += 1;
    const headers = this.from(this.people);
    await this.call('POST', '/auth/password/sign-up', { headers, body: { email, name, password: PASSWORD } });
    const token = await this.mailedToken(email, 'verify');
    const answer = await this.call('POST', '/auth/password/verify', {
      headers,
      body: { token, client: 'mobile' },
    });
    if (answer.status !== 200) throw new Error(`verifying answered ${JSON.stringify(answer.body)}`);
    const me = answer.body['me'] as { user: { id: string }; default_household_id: string };
    return {
      id: me.user.id,
      email,
      name,
      token: String(answer.body['token']),
      home: me.default_household_id,
    };
  }

  /** The mails to an address so far, oldest first. */
  async mailsTo(email: string): Promise<readonly MailMessage[]> {
    await this.queue.idle();
    return this.mailer.sent.filter(({ to }) => to.toLowerCase() === email.toLowerCase());
  }

  /** The secret of the link in the latest mail to an address. */
  async mailedToken(email: string, page: 'verify' | 'reset' | 'confirm-email' | 'invites'): Promise<string> {
    const mails = await this.mailsTo(email);
    const pattern = page === 'invites' ? /\/invites\/([\w-]+)$/ : new RegExp(`/${page}\\?token=([\\w-]+)$`);
    const tokens = mails.flatMap(({ links = [] }) => links.flatMap(link => pattern.exec(link)?.[1] ?? []));
    const token = tokens.at(-1);
    if (token === undefined) throw new Error(`no link for ${page} was mailed to ${email}`);
    return token;
  }

  /** Creates a personal access token. @returns its secret */
  async accessToken(person: Person, scopes?: readonly string[], expiresInDays?: number): Promise<string> {
    const answer = await this.call('POST', '/tokens', {
      token: person.token,
      body: {
        name: 'Script',
        ...(scopes !== undefined && { scopes }),
        ...(expiresInDays !== undefined && { expires_in_days: expiresInDays }),
      },
    });
    if (answer.status !== 201) throw new Error(`creating a token answered ${JSON.stringify(answer.body)}`);
    return String(answer.body['secret']);
  }

  /** Another household of a person's. @returns its id */
  async household(owner: Person, name = 'Maple Street'): Promise<string> {
    const answer = await this.call('POST', '/households', { token: owner.token, body: { name } });
    if (answer.status !== 201)
      throw new Error(`creating a household answered ${JSON.stringify(answer.body)}`);
    return String(answer.body['id']);
  }

  /** Invites somebody. @returns the answer */
  async invite(inviter: Person, householdId: string, email: string): Promise<Answer> {
    return this.call('POST', `/households/${householdId}/invites`, { token: inviter.token, body: { email } });
  }

  /** Makes somebody a member of a household by inviting and accepting. */
  async join(member: Person, inviter: Person, householdId: string): Promise<void> {
    const invite = await this.invite(inviter, householdId, member.email);
    const path = `/invites/${String(invite.body['id'])}/accept`;
    const answer = await this.call('POST', path, { token: member.token });
    if (answer.status !== 200) throw new Error(`accepting answered ${JSON.stringify(answer.body)}`);
  }

  /** The log of a household, oldest first, with the entries that are still in its record alone. */
  async membershipLog(householdId: string): Promise<readonly MembershipEntry[]> {
    const record = await this.documents.get(HOUSEHOLDS, householdId);
    const log = await this.documents.range(MEMBERSHIP_LOG, { ...keysUnder(householdId), limit: 100 });
    const last = log.at(-1)?.sequence ?? 0;
    return [...log, ...(record?.unlogged ?? []).filter(({ sequence }) => sequence > last)];
  }

  /** Everything that the store's files hold, as bytes read as text; of MongoDB, its documents as JSON. */
  async storedBytes(): Promise<string> {
    return this.mongodbUrl === null ? storedBytes(this.directory) : dumpDatabase(this.mongodbUrl);
  }
}

/** Servers of this process, by subject. */
const shared = new Map<string, { readonly server: Promise<IdentityServer>; files: number }>();

/**
 * A server that the spec files of one subject share where they run in one process. Each person of a subject has another
 * name.
 * @param use gets it before the first spec of the file
 */
export function useServer(
  subject: string,
  use: (server: IdentityServer) => void,
  options: ServerOptions = {},
): void {
  before(async () => {
    const entry = shared.get(subject) ?? { server: IdentityServer.start(options), files: 0 };
    entry.files += 1;
    shared.set(subject, entry);
    use(await entry.server);
  });
  after(async () => {
    const entry = shared.get(subject)!;
    entry.files -= 1;
    if (entry.files > 0) return;
    shared.delete(subject);
    await (await entry.server).stop();
  });
}
