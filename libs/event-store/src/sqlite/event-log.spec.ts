import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { newEvents } from '../contract/fixture.js';
import type { Append } from './appends.js';
import { EventLog } from './event-log.js';

it('The log of events keeps no append that nobody wants to be told of', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'event-log-'));
  const log = new EventLog<Append>({ file: join(directory, 'events.sqlite') });
  const texts = [{ data: '{}', metadata: '{}' }];
  await log.append({ stream: 'a', expected: -1, events: newEvents(1), texts, size: 4 });
  assert.deepEqual(Reflect.get(log, 'appended'), []);
  await log.close();
  rmSync(directory, { recursive: true });
});
