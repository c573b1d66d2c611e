import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../../test/until.js';
import { LogOutput } from './log-output.js';

/** More than a pipe holds. */
const TOO_MUCH = 200_000;

describe('log output', () => {
  let directory: string;
  let open: number[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'log-'));
    open = [];
  });
  afterEach(() => {
    for (const file of open) closeSync(file);
    rmSync(directory, { recursive: true, force: true });
  });

  const opened = (name: string, flags: number | string): number => {
    const file = openSync(join(directory, name), flags);
    open.push(file);
    return file;
  };

  /** A pipe, of which each end says at once that it has nothing or takes nothing. */
  const pipe = (): { reader: number; writer: number } => {
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    const reader = opened('pipe', constants.O_RDONLY | constants.O_NONBLOCK);
    return { reader, writer: opened('pipe', constants.O_WRONLY | constants.O_NONBLOCK) };
  };

  it('writes every line once, in order, at the end those that wait', async () => {
    const output = new LogOutput(opened('log', 'w'));
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} – a few words\n`);
    for (const [index, line] of lines.entries()) {
      output.write(line);
      if (index % 500 === 0) await pause(1);
    }
    // So that nothing is on its way.
    await until(() => linesIn(directory).length === lines.length);
    output.write('the last one\n');
    output.end();
    assert.deepEqual(linesIn(directory), [...lines, 'the last one\n']);
  });

  it('writes what waits when it is told to, and goes on behind that', async () => {
    const output = new LogOutput(opened('log', 'w'));
    output.write('one\n');
    output.flush();
    assert.deepEqual(linesIn(directory), ['one\n']);
    output.write('two\n');
    await until(() => linesIn(directory).length === 2);
  });

  it('writes a line soon though no other follows', async () => {
    new LogOutput(opened('log', 'w')).write('alone\n');
    await until(() => linesIn(directory).length === 1);
  });

  it('keeps what a slow reader does not take, up to a bound, and goes on with it', async () => {
    const { reader, writer } = pipe();
    const output = new LogOutput(writer, TOO_MUCH);
    const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}\n`);
    for (const line of lines) output.write(line);
    const read = await readUntil(reader, text => text.length >= TOO_MUCH - 20);
    assert.equal(read, lines.join('').slice(0, read.length), 'the first ones, in order');
    output.write('and later\n');
    assert.equal(await readUntil(reader, text => text.endsWith('later\n')), 'and later\n');
  });

  it('does not wait long at the end for a reader that takes nothing', async context => {
    const output = new LogOutput(pipe().writer);
    output.write('x'.repeat(TOO_MUCH));
    // As much as the pipe holds is in it.
    await until(() => output['timer'] !== null, 'it waits to try again');
    // It would wait without end where it took no account of the time.
    let clock = performance.now();
    context.mock.method(performance, 'now', () => (clock += 100));
    output.end();
  });

  it('does not wait at the end for a reader that is gone, noticed or not', async context => {
    const waiting = context.mock.method(Atomics, 'wait');
    for (const isNoticed of [false, true]) {
      const { reader, writer } = pipe();
      closeSync(reader);
      open.splice(open.indexOf(reader), 1);
      const output = new LogOutput(writer);
      output.write('for nobody\n');
      if (isNoticed) await until(() => output['isReaderGone'], 'it is noticed');
      output.write('for nobody either\n');
      output.end();
      assert.equal(waiting.mock.callCount(), 0);
      rmSync(join(directory, 'pipe'));
    }
  });
});

function linesIn(directory: string): string[] {
  return readFileSync(join(directory, 'log'), 'utf8').match(/.*\n/g) ?? [];
}

async function readUntil(file: number, isEnough: (text: string) => boolean): Promise<string> {
  const buffer = Buffer.alloc(65_536);
  let text = '';
  await until(() => {
    try {
      text += buffer.toString('utf8', 0, readSync(file, buffer));
    } catch {
      // Nothing is there yet.
    }
    return isEnough(text);
  });
  return text;
}
