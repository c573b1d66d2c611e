import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import type { OnStep } from '../../backup/backup-file.js';
import { bytes, counted, duration } from './formats.js';
import { progressLine, showingProgress } from './progress.js';
import { plainText, safeJson, Terminal, type Column } from './terminal.js';

class Text extends Writable {
  text = '';
  isTTY = false;
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

describe('text of users', () => {
  it('reaches a terminal without anything that it acts on', () => {
    assert.equal(plainText('a\u001b[31mb\u009b1mc\u0007'), String.raw`a\u001b[31mb\u009b1mc\u0007`);
    assert.equal(plainText('one\ntwo\tthree\u202e'), String.raw`one\ntwo three\u202e`);
    assert.equal(plainText('Bäckerei 日本 👍'), 'Bäckerei 日本 👍');
  });

  it('stays the same in JSON', () => {
    const value = { name: 'a\u009b\u202e\u2028\u007f\n' };
    const json = safeJson(value);
    assert.match(json, /^[\u0020-\u007e]*$/);
    assert.deepEqual(JSON.parse(json), value);
  });
});

describe('a table', () => {
  it('stands in columns, also with wide characters and over pages', async () => {
    const out = new Text();
    const columns: readonly Column<[string, number]>[] = [
      { title: 'NAME', text: ([name]) => name },
      { title: 'N', align: 'right', text: ([, n]) => String(n) },
    ];
    await new Terminal(out, new Text()).printTable(columns, [[['日本', 7]], [['longer', 1000]]]);
    assert.equal(out.text, 'NAME  N\n日本  7\nlonger  1000\n');
  });
});

describe('progress', () => {
  it('tells rate and time left', () => {
    const step = { label: 'Comparing', unit: 'events', done: 250 };
    assert.equal(
      progressLine({ ...step, total: 1_000 }, 500),
      'Comparing  [######------------------] 25 %  500 events/s  2 s left',
    );
    assert.equal(progressLine({ ...step, total: null }, 500), 'Comparing  250 events  500 events/s');
  });

  it('is drawn on a terminal only, and taken away', async () => {
    let now = 0;
    for (const isTTY of [false, true]) {
      const stream = new Text();
      stream.isTTY = isTTY;
      const compare = async (onStep: OnStep): Promise<void> => {
        for (const done of [0, 5]) {
          onStep({ label: 'Comparing', unit: 'events', done, total: 10 });
          now += 1_000;
        }
      };
      await showingProgress({ err: stream }, compare, () => now);
      assert.equal(stream.text.includes('50 %'), isTTY);
      assert.equal(stream.text.endsWith('\r\u001b[K'), isTTY);
    }
  });
});

describe('formats', () => {
  it('are for people', () => {
    assert.deepEqual([999, 725_000, 87_500_000].map(bytes), ['999 bytes', '725.0 kB', '87.5 MB']);
    assert.deepEqual([0.25, 15, 300, 9_000].map(duration), ['0.3 s', '15 s', '5 min', '3 h']);
    assert.equal(counted(1, 'event'), '1 event');
    assert.equal(counted(1_200, 'event'), '1,200 events');
  });
});
