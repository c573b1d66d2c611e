// What the platform allows: a bare Nest-on-Fastify application with nothing but the bearer check of the service,
// the validation of its body, and either one durable group-committed insert or bytes that were made before.
import 'reflect-metadata';
import { join } from 'node:path';
import {
  Body,
  Controller,
  Get,
  Global,
  Header,
  Injectable,
  Module,
  Post,
  UnprocessableEntityException,
  UseGuards,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { CreateTransactionBody } from '#budget/transactions/create-transaction';
import { Documents } from '#storage/documents/documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { Access } from '#http/access';
import { Problems, Shape } from '#http/shape';
import { Credentials } from '#identity/access/credentials';
import { Randomness, SecretKey } from '#identity/secrets';
import { BudgetHistories, IdentityConfiguration } from '#identity/surroundings';
import { IDENTITY_COLLECTIONS, IdentityServicesModule } from '#identity/identity-services.module';
import { Clock } from '#concurrency/clock';
import { JobQueue } from '#storage/jobs/job-queue';
import { openDatabase, type Database } from '#storage/sqlite/open-database';
import { offer } from './worker-process.js';

/** "FLOR" */
const APPLICATION_ID = 0x464c4f52;

/** One table, every commit synced, inserts of one turn of the event loop in one commit. */
class Inserts {
  private readonly db: Database;
  private readonly insert: ReturnType<Database['prepare']>;
  private waiting: { readonly id: string; readonly body: string; readonly done: () => void }[] = [];

  constructor(file: string) {
    this.db = openDatabase({
      file,
      applicationId: APPLICATION_ID,
      version: 1,
      migrate: fresh => fresh.exec('CREATE TABLE posts (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT'),
    });
    this.insert = this.db.prepare('INSERT INTO posts (id, body) VALUES (?, ?)');
  }

  add(id: string, body: string): Promise<void> {
    if (this.waiting.length === 0) setImmediate(() => this.commit());
    return new Promise(done => this.waiting.push({ id, body, done }));
  }

  private commit(): void {
    const { waiting } = this;
    this.waiting = [];
    this.db.exec('BEGIN IMMEDIATE');
    for (const { id, body } of waiting) this.insert.run(id, body);
    this.db.exec('COMMIT');
    for (const { done } of waiting) done();
  }
}

/** Bytes that the service answered, by route. */
const prepared = { month: '', list: '' };
const shape = Shape.of(CreateTransactionBody);

@Injectable()
class BearerGuard implements CanActivate {
  constructor(private readonly credentials: Credentials) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.credentials.authenticate(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}

@Controller('floor')
@UseGuards(BearerGuard)
class FloorController {
  constructor(private readonly inserts: Inserts) {}

  @Post('transactions')
  @Access.scope('transactions:write')
  async create(@Body() body: Record<string, unknown>): Promise<{ readonly id: string }> {
    const problems = new Problems();
    const transaction = shape.read(body, '', problems);
    if (problems.fields.length > 0) throw new UnprocessableEntityException(problems.fields);
    await this.inserts.add(transaction.id, JSON.stringify(transaction));
    return { id: transaction.id };
  }

  @Get('month')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Access.scope('budget:read')
  month(): string {
    return prepared.month;
  }

  @Get('list')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Access.scope('transactions:read')
  list(): string {
    return prepared.list;
  }
}

@Global()
@Module({})
class Surroundings {
  static on(documents: Documents): DynamicModule {
    const providers = [
      { provide: Documents, useValue: documents },
      { provide: Clock, useValue: Date },
      Randomness,
      { provide: SecretKey, useValue: new SecretKey(Buffer.alloc(32)) },
      {
        provide: IdentityConfiguration,
        useValue: { allowedEmails: [], defaultCurrency: 'USD', appUrl: () => '' },
      },
      { provide: JobQueue, useValue: null },
      { provide: BudgetHistories, useValue: null },
    ];
    return { module: Surroundings, providers, exports: providers };
  }
}

@Module({})
class FloorModule {}

/** @param directory holds a copy of the service's file, so that its tokens are known @returns the URL */
async function listen(directory: string): Promise<string> {
  const { documents } = LedgerDatabase.open({ directory });
  await documents.ensure(IDENTITY_COLLECTIONS);
  const module: DynamicModule = {
    module: FloorModule,
    imports: [Surroundings.on(documents), IdentityServicesModule],
    controllers: [FloorController],
    providers: [{ provide: Inserts, useValue: new Inserts(join(directory, 'posts.db')) }, BearerGuard],
  };
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
  });
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

const functions = {
  listen,
  prepare: (answers: typeof prepared): void => void Object.assign(prepared, answers),
};
export type FloorServer = typeof functions;
offer(functions);
