import {
  Body,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  Injectable,
  Module,
  Patch,
  Post,
  Query,
  Res,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { Access, DeclaredAccess } from './access.js';
import { Also, Answers, Fails } from './answers.js';
import { ApiError, notFound } from './api-error.js';
import { createHttpApp, type HttpAppOptions } from './create-http-app.js';
import {
  AmountField,
  BooleanField,
  ColorField,
  DateField,
  EmailField,
  EnumField,
  EnumListField,
  IntegerField,
  ListField,
  MomentField,
  MonthField,
  NameField,
  NoteField,
  NumberField,
  ObjectField,
  PasswordField,
  TextField,
  UlidField,
  UlidListField,
} from './fields.js';
import { EventIdParam, MonthParam, UlidParam } from './path-params.js';

/** A tiny application with one route for every convention, for this library's own specs. */

export class SplitBody {
  @UlidField()
  item_id!: string;

  @AmountField({ min: 1 })
  amount!: number;
}

class PlaceBody {
  @NumberField({ min: -90, max: 90 })
  lat!: number;

  @NumberField({ min: -180, max: 180 })
  lng!: number;

  @NumberField({ min: 0, max: 1000 })
  accuracy_m!: number;
}

export class ThingBody {
  @UlidField()
  id!: string;

  @EnumField(['expense', 'income'])
  type!: 'expense' | 'income';

  @AmountField({ min: 1 })
  amount!: number;

  @DateField()
  date!: string;

  @TextField({ min: 1, max: 200 })
  merchant!: string;

  @ListField(() => SplitBody, { max: 100, uniqueBy: 'item_id' })
  splits!: SplitBody[];

  @NoteField({ optional: true })
  note?: string | null;

  @MonthField({ optional: true })
  budget_month?: string;

  @ObjectField(() => PlaceBody, { optional: true, nullable: true })
  location?: PlaceBody | null;
}

export class ThingPatch {
  @NameField({ optional: true })
  name?: string;

  @ColorField({ optional: true })
  color?: string;

  @AmountField({ min: -1000, max: 1000, optional: true, nullable: true })
  target?: number | null;

  @BooleanField({ optional: true })
  favorite?: boolean;

  @EmailField({ optional: true })
  email?: string;

  @PasswordField({ optional: true })
  password?: string;

  @PasswordField({ optional: true, signIn: true })
  old_password?: string;

  @UlidListField({ max: 3, optional: true })
  item_ids?: string[];

  @EnumListField(['budget:read', 'budget:write'], { min: 1, optional: true })
  scopes?: string[];
}

export class ThingQuery {
  @EnumField(['tracked', 'deleted'])
  view!: string;

  @TextField({ min: 1, max: 100, optional: true })
  q?: string;

  @IntegerField({ min: 1, max: 200, default: 100 })
  limit!: number;

  @BooleanField({ optional: true })
  all?: boolean;

  @MomentField({ optional: true, date: 'last', description: 'As it stood then' })
  as_of?: string;
}

class Echo {
  @ApiProperty({ type: 'object', additionalProperties: true })
  received!: object;
}

const KINDS: Readonly<Record<string, () => unknown>> = {
  bug: () => new TypeError('secret internals'),
  text: () => 'a thrown string with secret internals',
  forbidden: () => new ForbiddenException('secret internals'),
  refusal: () =>
    Object.assign(new Error('Pay the rent first.'), { refusal: true, code: 'month_full', details: { n: 1 } }),
  'unknown-refusal': () =>
    Object.assign(new Error('secret internals'), { refusal: true, code: 'no_such_code' }),
  unavailable: () => Object.assign(new Error('secret internals'), { unavailable: true }),
  'not-found': () => notFound('month'),
};

class FailureQuery {
  @EnumField(Object.keys(KINDS))
  kind!: string;
}

@ApiTags('Things')
@Controller()
class ThingsController {
  @Post('things')
  @Access.scope('transactions:write', { household: true })
  @Answers(201, Echo, 'The thing')
  @Also(200, Echo, 'A replay', { 'Idempotent-Replay': '`true`' })
  @Fails('not_found', 'transaction_id_conflict', 'splits_total_mismatch')
  createThing(@Body() body: ThingBody): object {
    return { received: body, isInstance: body instanceof ThingBody };
  }

  @Patch('things/:thingId')
  @Access.scope(['budget:read', 'transactions:read'])
  @Answers(200, Echo, 'The thing')
  changeThing(@UlidParam('thingId', 'The thing') thingId: string, @Body() body: ThingPatch): object {
    return { thingId, received: body };
  }

  @Delete('things/:thingId')
  @Access.session()
  @Answers(204, undefined, 'The thing is gone')
  removeThing(@UlidParam('thingId', 'The thing') _thingId: string): void {}

  @Get('things')
  @Access.anyScope(['budget:read', 'transactions:read'])
  @Answers(200, Echo, 'The thing')
  listThings(@Query() query: ThingQuery): object {
    return { received: query };
  }

  @Post('months/:month')
  @Access.scope('budget:write')
  @Answers(201, Echo, 'The thing')
  createMonth(@MonthParam() month: string, @Res({ passthrough: true }) reply: FastifyReply): object {
    if (month === '2026-02') reply.code(200).header('Idempotent-Replay', 'true');
    return { received: { month } };
  }

  @Post('activity/:eventId/undo')
  @Access.public()
  @Answers(202, Echo, 'Accepted')
  undoCommand(@EventIdParam() eventId: string): object {
    return { received: { eventId } };
  }

  @Get('failures')
  @Access.public()
  @Answers(200, undefined, 'Never')
  failOnPurpose(@Query() { kind }: FailureQuery): never {
    throw KINDS[kind]?.();
  }
}

/** Refuses who sends no credential, and remembers whether the body had been read by then. */
@Injectable()
class TestGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const access = new Reflector().get(DeclaredAccess, context.getHandler());
    if (access?.who === 'public') return true;
    if (request.raw.readableDidRead) throw new Error('the body was read before the guard');
    if (request.headers.authorization === undefined) throw new ApiError('unauthenticated');
    request.userId = 'user-1';
    return true;
  }
}

@Module({ controllers: [ThingsController], providers: [{ provide: APP_GUARD, useClass: TestGuard }] })
class ThingsModule {}

export interface TestApplication {
  readonly app: NestFastifyApplication;
  readonly origin: string;
  readonly port: number;
  /** The lines logged so far. */
  readonly log: Record<string, unknown>[];
}

export async function startTestApplication(
  options: Pick<HttpAppOptions, 'basePath' | 'prepared' | 'web'> = {},
): Promise<TestApplication> {
  const log: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'info' },
    { write: line => log.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const app = await createHttpApp(ThingsModule, {
    ...options,
    logger,
    description: {
      title: 'Things',
      version: '1.0.0',
      introduction: '',
      limits: '',
      tags: { Things: 'All of them' },
    },
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  return { app, origin: `http://127.0.0.1:${port}`, port, log };
}
