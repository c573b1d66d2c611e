import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  Query,
  UseGuards,
  type CanActivate,
  type Type,
} from '@nestjs/common';
import { pino } from 'pino';
import { Access } from './access.js';
import { createHttpApp } from './create-http-app.js';
import { NameField } from './fields.js';
import { CHECK_TIMEOUT_MS, Readiness, type CheckResult } from './readiness.js';
import { routesOf } from './routes.js';
import { startTestApplication, type ThingBody } from './test-application.fixture.js';

class NamedBody {
  @NameField()
  name!: string;
}

class EmptyBody {}

@Injectable()
class AnyGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

function start(controller: Type<unknown>) {
  @Module({ controllers: [controller] })
  class TestModule {}
  const description = { title: 'Test', version: '1', introduction: '', limits: '', tags: {} };
  return createHttpApp(TestModule, { logger: pino({ level: 'silent' }), description });
}

async function assertRefused(controller: Type<unknown>, ...sentences: readonly RegExp[]): Promise<void> {
  await assert.rejects(start(controller), (error: unknown) => {
    assert.ok(error instanceof Error);
    for (const sentence of sentences) assert.match(error.message, sentence);
    return true;
  });
}

describe('the start', () => {
  it('is refused with a route that declares no access', async () => {
    @Controller()
    class Open {
      @Get('open')
      open(): void {}
    }
    await assertRefused(Open, /Open\.open: has no @Access/);
  });

  it('is refused with a body whose class a type-only import erased', async () => {
    @Controller()
    class Erased {
      @Post('erased')
      @Access.public()
      create(@Body() _body: ThingBody): void {}

      @Get('listed')
      @Access.public()
      list(@Query() _query: { q: string }): void {}

      @Post('named')
      @Access.public()
      name(@Body('name') _name: string): void {}
    }
    await assertRefused(
      Erased,
      /Erased\.create: @Body\(\) has no DTO class/,
      /Erased\.list: @Query\(\) has no DTO class/,
      /Erased\.name: @Body\(\) names a field/,
    );
  });

  it('is refused with a DTO class that declares nothing', async () => {
    @Controller()
    class Unchecked {
      @Post('unchecked')
      @Access.public()
      create(@Body() _body: EmptyBody): void {}
    }
    await assertRefused(Unchecked, /EmptyBody declares no field/);
  });

  it('is refused with a path parameter that nothing checks, and with a guard that would come too late', async () => {
    @Controller('things')
    class Careless {
      @Post(':thingId')
      @Access.public()
      @UseGuards(AnyGuard)
      create(@Param('thingId') _thingId: string, @Body() _body: NamedBody): void {}
    }
    await assertRefused(
      Careless,
      /Careless\.create: :thingId has no rule/,
      /Careless\.create: has a guard of its own/,
    );
  });

  it('knows every route with its access', async () => {
    const { app } = await startTestApplication();
    try {
      const routes = routesOf(app).map(({ method, path, access }) => `${method} ${path} ${access?.who}`);
      assert.ok(routes.includes('POST /things token'));
      assert.ok(routes.includes('DELETE /things/:thingId session'));
      assert.ok(routes.includes('GET /health/ready public'));
      assert.ok(routes.every(route => !route.endsWith('undefined')));
    } finally {
      await app.close();
    }
  });
});

describe('readiness', () => {
  const look = async (origin: string) => {
    const response = await fetch(`${origin}/health/ready`);
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as { status: string; checks: CheckResult[] },
    };
  };

  it('names what is wrong, since when, and heals', async () => {
    const { app, origin } = await startTestApplication();
    try {
      const readiness = app.get(Readiness);
      let wrong: string | null = null;
      readiness.register('store', () => wrong);
      readiness.register('queue', () => Promise.resolve(null));
      const fine = await look(origin);
      assert.deepEqual([fine.status, fine.body.status], [200, 'ok']);
      wrong = 'the disk is full';
      const failing = await look(origin);
      assert.equal(failing.status, 503);
      assert.deepEqual([fine.retryAfter, failing.retryAfter], [null, '2']);
      assert.equal(failing.body.status, 'failing');
      const since = failing.body.checks[0]?.since;
      assert.match(since ?? '', /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
      assert.deepEqual(
        failing.body.checks.map(({ name, status, message }) => ({ name, status, message })),
        [
          { name: 'store', status: 'failing', message: 'the disk is full' },
          { name: 'queue', status: 'ok', message: null },
        ],
      );
      assert.equal((await look(origin)).body.checks[0]?.since, since);
      wrong = null;
      assert.equal((await look(origin)).status, 200);
    } finally {
      await app.close();
    }
  });

  it('tells the operator’s sentences and no others', async () => {
    const readiness = new Readiness();
    readiness.register('store', () =>
      Promise.reject(Object.assign(new Error('no route to host'), { unavailable: true })),
    );
    readiness.register('bug', () => {
      throw new Error('password=secret');
    });
    assert.deepEqual(
      (await readiness.look()).map(({ message }) => message),
      ['no route to host', 'the check itself failed'],
    );
  });

  it('waits for no check longer than its time, and starts a stuck one only once', async context => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const readiness = new Readiness();
    let started = 0;
    readiness.register('stuck', () => {
      started += 1;
      return new Promise<null>(() => {});
    });
    for (let round = 0; round < 3; round += 1) {
      const looked = readiness.look();
      context.mock.timers.tick(CHECK_TIMEOUT_MS);
      assert.deepEqual(
        (await looked).map(({ status }) => status),
        ['failing'],
      );
    }
    assert.equal(started, 1);
  });
});

describe('closing', () => {
  it('finishes the requests under way, closes their connections and takes no new ones', async () => {
    let arrived: () => void = () => {};
    const underWay = new Promise<void>(resolve => {
      arrived = resolve;
    });
    let finish: () => void = () => {};
    @Controller()
    class Slow {
      @Get('slow')
      @Access.public()
      slow(): Promise<object> {
        arrived();
        return new Promise(resolve => {
          finish = () => resolve({ done: true });
        });
      }
    }
    const app = await start(Slow);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as { port: number };
    const idle = connect(port, '127.0.0.1', () => idle.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'));
    await new Promise(resolve => idle.once('data', resolve));
    const idleClosed = new Promise(resolve => idle.once('close', resolve));
    const answer = fetch(`http://127.0.0.1:${port}/v1/slow`);
    await underWay;
    const closed = app.close();
    await idleClosed;
    await assert.rejects(fetch(`http://127.0.0.1:${port}/health/live`));
    finish();
    const response = await answer;
    assert.equal(response.headers.get('connection'), 'close');
    assert.deepEqual(await response.json(), { done: true });
    await closed;
  });
});
