import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  codePoints,
  nameRule,
  textRule,
  type FieldRule,
  colorRule,
  emailRule,
  enumRule,
  integerRule,
  isMonth,
  listRule,
  momentRule,
  numberRule,
  passwordRule,
  ulidRule,
  isDate,
  isUlid,
} from './field-rules.js';

/** What a rule makes of a value: the stored value, or the sentence in brackets. */
function outcome(rule: FieldRule, raw: unknown): unknown {
  const value = rule.normalise === undefined ? raw : rule.normalise(raw);
  if (value === null) return null;
  const problem = rule.problem(value);
  return problem === null ? value : [problem];
}

function refuses(rule: FieldRule, ...values: readonly unknown[]): void {
  for (const value of values)
    assert.ok(Array.isArray(outcome(rule, value)), `accepted ${JSON.stringify(value)}`);
}

function accepts(rule: FieldRule, ...values: readonly unknown[]): void {
  for (const value of values) assert.deepEqual(outcome(rule, value), value);
}

const NOT_TEXT = [1, true, {}, [], ['a']];

describe('ids, months and dates', () => {
  it('takes a ULID in capitals and nothing else', () => {
    accepts(ulidRule, '01JZ8Q4T0V6W2X3Y4Z5A6B7C8D');
    refuses(
      ulidRule,
      '01jz8q4t0v6w2x3y4z5a6b7c8d',
      '01JZ8Q4T0V6W2X3Y4Z5A6B7C8',
      '01JZ8Q4T0V6W2X3Y4Z5A6B7CIL',
      '',
    );
    refuses(ulidRule, '01JZ8Q4T0V6W2X3Y4Z5A6B7C8D\n', ...NOT_TEXT);
    assert.ok(!isUlid(null));
  });

  it('takes the months of the calendar', () => {
    for (const month of ['0000-01', '2026-12', '9999-09']) assert.ok(isMonth(month));
    for (const month of ['2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', '2026-01\n', 202601]) {
      assert.ok(!isMonth(month));
    }
  });

  it('agrees with the Gregorian calendar on every day of every year from 1 to 9999', () => {
    const anyDay = fc.record({
      year: fc.integer({ min: 0, max: 9999 }),
      month: fc.integer({ min: 0, max: 13 }),
      day: fc.integer({ min: 0, max: 32 }),
    });
    fc.assert(
      fc.property(anyDay, ({ year, month, day }) => {
        const text = [
          String(year).padStart(4, '0'),
          ...[month, day].map(n => String(n).padStart(2, '0')),
        ].join('-');
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const exists = year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        assert.equal(isDate(text), exists && date.getUTCFullYear() === year, text);
      }),
    );
    for (const date of ['2024-02-29', '2000-02-29', '0001-01-01']) assert.ok(isDate(date));
    for (const date of [
      '2026-02-29',
      '1900-02-29',
      '0000-01-01',
      '2026-1-01',
      '2026-01-01T00:00:00Z',
      20260101,
    ]) {
      assert.ok(!isDate(date));
    }
  });

  it('takes times with an offset and dates as moments, and brings them to milliseconds in UTC', () => {
    const [from, upTo] = [momentRule('first'), momentRule('last')];
    for (const [text, moment] of [
      ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
      ['2026-01-02T03:04:05.1Z', '2026-01-02T03:04:05.100Z'],
      ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123Z'],
      ['2026-03-31T23:00:00+02:00', '2026-03-31T21:00:00.000Z'],
      ['2026-02-28T23:00:00.5-01:30', '2026-03-01T00:30:00.500Z'],
      ['2026-01-02T03:04:05-00:00', '2026-01-02T03:04:05.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ]) {
      assert.deepEqual([outcome(from, text), outcome(upTo, text)], [moment, moment]);
    }
    assert.equal(outcome(from, '2026-03-31'), '2026-03-31T00:00:00.000Z');
    assert.equal(outcome(upTo, '2026-03-31'), '2026-03-31T23:59:59.999Z');
    refuses(upTo, '2026-01-02T24:00:00Z', '2026-02-30T00:00:00Z', '2026-02-30', '2026-01', '2026-01-02T');
    refuses(upTo, '2026-01-02T03:04:60Z', '2026-01-02t03:04:05z', '2026-01-02T03:04:05', '2026-01-02Z');
    refuses(upTo, '2026-01-02T03:04:05+0200', '2026-01-02T03:04:05+24:00', '2026-01-02T03:04:05 02:00');
    refuses(upTo, '0001-01-01T00:00:00+01:00', '9999-12-31T23:30:00-01:00', '0000-01-01', 0, ...NOT_TEXT);
  });
});

describe('numbers', () => {
  it('takes whole numbers in their range, however JSON spells them', () => {
    const amount = integerRule(1, 999_999_999_999);
    accepts(amount, 1, JSON.parse('12.0'), JSON.parse('1e3'), 999_999_999_999);
    refuses(
      amount,
      0,
      -1,
      1.5,
      '12',
      1_000_000_000_000,
      Number.NaN,
      JSON.parse('1e400'),
      2 ** 53,
      true,
      [1],
      {},
    );
  });

  it('never makes a negative zero', () => {
    assert.ok(Object.is(outcome(integerRule(0, 9), JSON.parse('-0')), 0));
    assert.ok(Object.is(outcome(numberRule(-90, 90), JSON.parse('-0.0')), 0));
  });

  it('reads a query strictly', () => {
    const { fromText } = integerRule(1, 200);
    assert.equal(fromText?.('20'), 20);
    for (const text of ['020', '+1', '1.0', '1e2', ' 1', '1 ', '0x10', '', '١', '99999999999999999']) {
      assert.equal(typeof fromText?.(text), 'string', text);
    }
  });

  it('takes finite numbers in their range', () => {
    accepts(numberRule(-90, 90), -90, 52.5163, 90);
    refuses(numberRule(-90, 90), 90.000001, JSON.parse('1e999'), '1', [1]);
  });
});

describe('text', () => {
  const name = nameRule(100);
  const merchant = nameRule(200);
  const note = textRule({ min: 0, max: 2000, multiline: true, emptyIsNull: true });

  it('trims, normalises to NFC and counts code points', () => {
    assert.equal(outcome(name, '  Cafe\u0301 \n'), 'Café');
    accepts(name, '😀'.repeat(100), 'ä'.repeat(100));
    refuses(name, '😀'.repeat(101), 'ä'.repeat(101), '', '   ', '\u3000');
    assert.equal(outcome(name, 'e\u0301'.repeat(100)), 'é'.repeat(100));
  });

  it('refuses control characters and halves of characters', () => {
    refuses(name, 'a\nb', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\u0085b', 'a\ud800b', 'a\udc00', ...NOT_TEXT);
    accepts(name, 'a 😀 b', 'наличные', '日本', 'a\u200db', '%_\\.*', '__proto__');
  });

  it('refuses names that turn round the text behind them', () => {
    for (const turning of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
      for (const rule of [name, merchant])
        refuses(rule, `Rent${turning}`, `${turning}Rent`, `Re${turning}nt`, turning);
    }
    accepts(name, 'שכר דירה', 'إيجار', 'Rent \u200f(שכר)');
  });

  it('refuses names that cannot be seen, and keeps what joins the letters of words and emoji', () => {
    const unseen = [
      '\u200b',
      '\u200d\u200c',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u3164',
      '\u2800',
      '\u115f',
      '\ufe0f',
      '\u{e0041}',
    ];
    for (const rule of [name, merchant]) refuses(rule, ...unseen, ...unseen.map(text => ` ${text} ${text}`));
    accepts(
      name,
      'می\u200cخواهم',
      'क्\u200dष',
      '👩\u200d👩\u200d👧',
      '❤\ufe0f',
      '🏴\u{e0067}\u{e0062}\u{e007f}',
      'a\u00adb',
      '.',
    );
  });

  it('keeps newlines and tabs of notes, and clears an empty one', () => {
    accepts(note, 'one\n\ttwo');
    assert.equal(outcome(note, 'one\r\ntwo'), 'one\ntwo');
    assert.equal(outcome(note, ' \n '), null);
    refuses(note, 'a\rb', 'a\u0000b', 'a\u001bb', 'x'.repeat(2001));
    accepts(note, 'x'.repeat(2000));
  });

  it('is stable: what was accepted once is accepted unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 150 }), text => {
        const once = outcome(name, text);
        if (Array.isArray(once)) return;
        assert.deepEqual(outcome(name, once), once);
        const length = codePoints(String(once));
        assert.ok(length >= 1 && length <= 100);
        assert.equal(length, Array.from(String(once)).length);
      }),
    );
  });
});

describe('e-mail addresses, passwords, colours, words and lists', () => {
  it('takes addresses as people have them', () => {
    accepts(emailRule, 'ada@example.org', 'Ada.Lovelace+bills@sub.example.co.uk');
    accepts(emailRule, `${'a'.repeat(242)}@example.com`, `ada@${'b'.repeat(63)}.example`);
    assert.equal(outcome(emailRule, ' ada@example.org\n'), 'ada@example.org');
    refuses(
      emailRule,
      'ada',
      'ada@',
      '@example.org',
      'a b@example.org',
      'ada@example..org',
      'ada@example.org\nBcc: x',
      '',
    );
    refuses(
      emailRule,
      '"a b"@example.org',
      'Ada <ada@example.org>',
      `${'a'.repeat(243)}@example.com`,
      `${'é'.repeat(150)}@example.com`,
      `ada@${'b'.repeat(64)}.example`,
      `ada@${'ü'.repeat(63)}.example`,
      'ada@example.com﹐root',
      'ada@example.com⑴',
      ...NOT_TEXT,
    );
  });

  it('refuses addresses with characters that cannot be seen, anywhere', () => {
    const unseen = [
      '\u200b',
      '\u200d',
      '\u202e',
      '\u2066',
      '\u00ad',
      '\ufeff',
      '\u2060',
      '\u061c',
      '\u3164',
      '\u2003',
    ];
    for (const character of [...unseen, '\u{e0041}', '\ufe0f']) {
      const spelt = ['zo_e@example.com', 'zoe@exam_ple.com', 'zoe@example._com', 'zoe_@example.com'];
      refuses(emailRule, ...spelt.map(address => address.replace('_', character)));
    }
    for (const character of ['\u200b', '\u202e', '\ufeff', '\u2060']) {
      refuses(
        emailRule,
        `${character}zoe@example.com`,
        `zoe@example.com${character}`,
        ` ${character} zoe@example.com`,
      );
    }
  });

  it('takes passwords of 10 to 128 code points and changes nothing but their normal form', () => {
    accepts(passwordRule(10), 'correct horse', ' spaces are kept ', '😀'.repeat(10), 'x'.repeat(128));
    accepts(passwordRule(10), ` ${'x'.repeat(128)} `);
    refuses(
      passwordRule(10),
      'short',
      ' '.repeat(20),
      ' 123456789 ',
      'x'.repeat(129),
      'tab\tin the middle',
      ...NOT_TEXT,
    );
    accepts(passwordRule(0), '', 'x');
    refuses(passwordRule(0), 'x'.repeat(129));
  });

  it('normalises no text that is too long in any form: the time for it grows with the square of its marks', () => {
    const decomposed = '\u1f82'.normalize('NFD');
    const unordered = '\u0315\u0300';
    assert.notEqual(unordered.normalize('NFC'), unordered);
    for (const [rule, max] of [
      [textRule({ min: 1, max: 100 }), 100],
      [emailRule, 254],
      [passwordRule(0), 128],
    ] as const) {
      const long = 'a' + unordered.repeat(max * 2);
      assert.equal(rule.normalise!(long), long);
      assert.match(rule.problem(long) ?? '', /^must have at most/);
      assert.equal(rule.normalise!(decomposed.repeat(max)), '\u1f82'.repeat(max));
    }
    const padded = ' '.repeat(1_000) + 'e\u0301'.repeat(10);
    assert.equal(outcome(passwordRule(10), padded), padded.normalize('NFC'));
  });

  it('takes colours in any letter case', () => {
    assert.equal(outcome(colorRule, ' #AbCdEf '), '#abcdef');
    refuses(colorRule, '#abc', 'abcdef', '#abcdeg', '#abcdef00', 'red', ...NOT_TEXT);
  });

  it('takes one of a few words', () => {
    accepts(enumRule(['web', 'mobile']), 'web');
    refuses(enumRule(['web', 'mobile']), 'Web', '', 'constructor', 0, ['web']);
  });

  it('takes each element of a list once', () => {
    const words = listRule(enumRule(['a', 'b', 'c', 'd']), { min: 1, max: 3 });
    accepts(words, ['a'], ['c', 'a', 'b']);
    refuses(words, [], ['a', 'a'], ['a', 'b', 'c', 'd'], ['x'], [null], 'a', { 0: 'a', length: 1 });
  });
});
