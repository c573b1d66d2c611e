import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../test/property-runs.js';
import { contentRules } from '#budget/imports/content-rules';
import { ImportUnreadable, UnknownColumn, type ImportedFile, type ImportOptions } from './imported-file.js';
import { importRows } from './import-rows.js';
import { foldSource, readImport } from './read-import.js';

function read(text: string | Uint8Array, options: ImportOptions = {}, currency = 'EUR'): ImportedFile {
  return readImport(typeof text === 'string' ? Buffer.from(text) : text, options, contentRules(currency));
}

function unreadable(
  text: string | Uint8Array,
  reason: string,
  options: ImportOptions = {},
): readonly string[] | null {
  let columns: readonly string[] | null = null;
  assert.throws(
    () => read(text, options),
    error => {
      assert.ok(error instanceof ImportUnreadable, String(error));
      assert.equal(error.reason, reason);
      columns = error.columns;
      return true;
    },
  );
  return columns;
}

/** Date and amount of each row, or its problem. */
function brief({ entries }: ImportedFile): unknown[] {
  return entries.map(({ problem, date, amount }) => problem ?? [date, amount]);
}

describe('a file', () => {
  it('is told by its content, whatever it is called', () => {
    assert.equal(read('!Type:Bank\nD15/01/2026\nT1\n^').format, 'qif');
    assert.equal(read('Date;Amount\n2026-01-15;1').format, 'csv');
  });

  it('has the characters of Windows-1252, also where Latin-1 has controls', () => {
    const bytes = Buffer.from(
      'Date;Amount;Payee\n2026-02-13;\x80 12,50;Joe\x92s \x96 Caf\xe9 \x8akoda\n',
      'latin1',
    );
    const { csv, entries } = read(bytes);
    assert.equal(csv?.encoding, 'windows-1252');
    assert.deepEqual(
      entries.map(({ amount, merchant }) => [amount, merchant]),
      [[1250, 'Joe’s – Café Škoda']],
    );
  });

  it('is refused with a reason where it cannot be read', () => {
    unreadable('', 'no_rows');
    unreadable(' \r\n\ufeff', 'no_rows');
    unreadable('Date,Amount\n', 'no_rows');
    unreadable('!Type:Bank\n', 'no_rows');
    unreadable('<OFX></OFX>', 'no_rows');
    unreadable('Hello world\nhow are you', 'unknown_format');
    unreadable('<html><body>Sign in</body></html>', 'unknown_format');
    unreadable('<?xml version="1.0"?><a><b/></a>', 'unknown_format');
    unreadable('{}', 'unknown_format');
    unreadable('Date;Amount\n2026-01-15;1', 'unknown_format', { format: 'ofx' });
    unreadable('Date;Amount\n2026-01-15;1', 'unknown_format', { format: 'qif' });
    unreadable('Date;Amount\n2026-01-15;1', 'unknown_format', { format: 'camt053' });
  });

  it('names its columns where none has a date or an amount', () => {
    assert.deepEqual(unreadable('Foo,Bar\nx,1.00', 'no_date_column'), ['Foo', 'Bar']);
    assert.deepEqual(unreadable('Date,Text\n2026-01-15,x', 'no_amount_column'), ['Date', 'Text']);
    assert.deepEqual(unreadable('Date,Balance\n2026-01-15,1.00', 'no_amount_column'), ['Date', 'Balance']);
    const text = 'When,What,Much\n2026-01-15,x,1.00';
    assert.deepEqual(unreadable(text, 'no_date_column', { columns: { date: 'Day' } }), [
      'When',
      'What',
      'Much',
    ]);
    unreadable(text, 'no_amount_column', { columns: { amount: '4' } });
    assert.throws(() => read(text, { columns: { note: 'Memo' } }), UnknownColumn);
  });

  it('may have at most 20,000 rows', () => {
    const row = '2026-01-15,1.00\n';
    assert.equal(read(`Date,Amount\n${row.repeat(20_000)}`).entries.length, 20_000);
    unreadable(`Date,Amount\n${row.repeat(20_001)}`, 'too_many_rows');
    unreadable(`Date,Amount\n${row.repeat(60_000)}`, 'too_many_rows');
    unreadable(`!Type:Bank\n${'D2026-01-15\nT1\n^\n'.repeat(20_001)}`, 'too_many_rows');
    unreadable(`<OFX>${'<STMTTRN><TRNAMT>1</STMTTRN>'.repeat(20_001)}</OFX>`, 'too_many_rows');
  });

  it('keeps rows with blank lines between them, and counts lines as an editor does', () => {
    const file = read(
      `Date,Amount,Note\r\n\r\n2026-01-15,1.00,"two\r\nlines"\r\n\r\n,,\r\n2026-01-16,2.00,\r\n`,
    );
    assert.deepEqual(
      file.entries.map(({ row }) => row),
      [3, 7],
    );
    assert.equal(read(`Date,Amount\n${'2026-01-15,1.00\n\n\n'.repeat(15_000)}`).entries.length, 15_000);
  });

  it('may have quotes that do not pair', () => {
    const file = read('Date;Payee;Amount\n2026-01-15;Bar "Zum Hirsch";-1,00\n2026-01-16;"Bar;-2,00\n');
    assert.deepEqual(brief(file), [
      ['2026-01-15', -100],
      ['2026-01-16', -200],
    ]);
  });
});

describe('what a person says of a CSV file', () => {
  it('counts before what the file seems to be', () => {
    const text = 'A;B;C\n01.02.2026;5;x\n03.04.2026;1.234;y\n';
    const columns = { date: '1', amount: '2', merchant: '3' };
    assert.deepEqual(brief(read(text, { columns, dateFormat: 'MDY', decimal: 'comma' })), [
      ['2026-01-02', 500],
      ['2026-03-04', 123_400],
    ]);
    assert.deepEqual(brief(read(text, { columns, dateFormat: 'DMY', decimal: 'point' })), [
      ['2026-02-01', 500],
      'The amount has more decimals than EUR.',
    ]);
    assert.deepEqual(read(text, { columns, dateFormat: 'DMY' }).ambiguous, []);
  });

  it('names columns, the header and the lines before it', () => {
    const text = 'Some bank\nWhen,Who,Out,In,Kind\n2026-01-15,Shop,3.00,,Food\n2026-01-16,Work,,9.00,\n';
    const columns = {
      date: 'When',
      debit: 'Out',
      credit: 'In',
      merchant: 'Who',
      category: 'Kind',
      note: 'Kind',
    };
    const file = read(text, { columns });
    assert.deepEqual(brief(file), [
      ['2026-01-15', -300],
      ['2026-01-16', 900],
    ]);
    assert.equal(file.csv?.skip, 1);
    assert.deepEqual(file.csv?.mapping, { ...columns, amount: null });
    const again = read(text, { skip: 1, header: true, delimiter: 'comma', columns });
    assert.deepEqual(again, file);
    const headerless = read('2026-01-15,Shop,-3.00\n2026-01-16,Work,9.00', { header: false });
    assert.deepEqual(headerless.csv?.columns, ['1', '2', '3']);
    assert.equal(headerless.csv?.header, false);
    assert.deepEqual(brief(headerless), [
      ['2026-01-15', -300],
      ['2026-01-16', 900],
    ]);
    assert.equal(read('2026-01-15,1.00\n2026-01-16,2.00', { header: true }).entries.length, 1);
  });

  it('turns the sign round where expenses are positive', () => {
    assert.deepEqual(brief(read('Date,Amount\n2026-01-15,1.00\n2026-01-16,-2.00', { flip: true })), [
      ['2026-01-15', -100],
      ['2026-01-16', 200],
    ]);
  });
});

describe('a row', () => {
  const rows = (text: string) => {
    const rules = contentRules('EUR');
    return importRows(read(text).entries, 'default', rules);
  };

  it('has a merchant and a note as a transaction may have them', () => {
    const [controls, onlyNote, nothing, long, unseen] = rows(
      [
        'Date,Amount,Payee,Memo',
        '2026-01-15,1.00,"  A\u0001  B\n\u202eC ",',
        '2026-01-15,1.00,,Only a note',
        '2026-01-15,1.00,,',
        `2026-01-15,1.00,${'é'.repeat(300)},${'😀'.repeat(2_500)}`,
        '2026-01-15,1.00,\u200b\u200b,',
      ].join('\n'),
    ).map(({ transaction }) => transaction);
    assert.equal(controls?.merchant, 'A B C');
    assert.equal(controls?.note, null);
    assert.equal(onlyNote?.merchant, 'Only a note');
    assert.equal(nothing?.merchant, 'Unknown');
    assert.equal(long?.merchant, 'é'.repeat(200));
    assert.equal(long?.note, '😀'.repeat(2_000));
    assert.equal(unseen?.merchant, 'Unknown');
  });

  it('is invalid without an amount', () => {
    const [zero, missing] = rows('Date,Amount,Payee\n2026-01-15,0.00,x\n2026-01-15,,x\n');
    assert.equal(zero?.problem, 'The amount is zero.');
    assert.equal(missing?.problem, 'The amount is missing.');
    assert.equal(zero?.transaction, null);
  });
});

/** The machine may be busy with other specs. */
const REFUSED_MS_MAX = 20_000;

describe('a hostile file', () => {
  const CAMT = '<Document><BkToCstmrStmt><Stmt>';
  const bomb =
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' +
    `${CAMT}<Ntry>&b;</Ntry></Stmt></BkToCstmrStmt></Document>`;
  const MIB = 1024 * 1024;
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'entities within entities': bomb,
    'a document type in OFX': `<!DOCTYPE OFX [<!ENTITY a "b">]><OFX><STMTTRN></STMTTRN></OFX>`,
    'elements a hundred thousand deep': CAMT + '<a>'.repeat(100_000) + '</a>'.repeat(100_000),
    'elements that are never closed': CAMT + '<Ntry>'.repeat(MIB),
    'an attribute without end': `${CAMT}<Ntry a="${'x'.repeat(7 * MIB)}`,
    'a comment without end': `${CAMT}<!--${'-'.repeat(7 * MIB)}`,
    'nothing but angle brackets': '<'.repeat(8 * MIB),
    'a cell of eight MiB': `Date,Amount\n"${'x'.repeat(8 * MIB - 20)}"`,
    'a quote that is never closed': `Date;Amount\n"${'a;'.repeat(4 * MIB - 10)}`,
    'eight MiB of quotes': '"'.repeat(8 * MIB),
    'eight MiB of delimiters': ';'.repeat(8 * MIB),
    'eight MiB of line ends': '\n'.repeat(8 * MIB),
    zeros: new Uint8Array(8 * MIB),
    'a zip': Buffer.concat([
      Buffer.from('PK\u0003\u0004\u0014\u0000\u0000\u0000'),
      gzipSync('x'.repeat(1000)),
    ]),
    'a zero within a CSV file': 'Date,Amount\n2026-01-15,1.00\0\n',
  };
  for (const [name, content] of Object.entries(files)) {
    it(`is refused in time: ${name}`, () => {
      const begun = performance.now();
      assert.throws(() => read(content), ImportUnreadable);
      assert.ok(performance.now() - begun < REFUSED_MS_MAX, `${performance.now() - begun} ms`);
    });
  }

  it('costs little where it can be read', () => {
    const wide = `Date,Amount${',x'.repeat(20_000)}\n2026-01-15,1.00`;
    assert.equal(read(wide).entries.length, 1);
    const tag = `<OFX><STMTTRN><NAME ${'x '.repeat(4 * MIB - 20)}`;
    assert.deepEqual(brief(read(tag)), ['The date cannot be read.']);
    const marks = `Date,Amount,Payee,Memo\n${`2026-01-15,1.00,a${'\u0301\u0323'.repeat(150)},b${'\u0301\u0323'.repeat(900)}\n`.repeat(1_800)}`;
    const begun = performance.now();
    assert.equal(importRows(read(marks).entries, 'default', contentRules('EUR')).length, 1_800);
    assert.ok(performance.now() - begun < REFUSED_MS_MAX);
  });
});

describe('whatever bytes and options', () => {
  const cell = fc.oneof(
    fc.constantFrom(
      '2026-01-15',
      '15.01.2026',
      '1,00',
      '-1.50',
      '"',
      '""',
      'Date',
      'Amount',
      'Saldo',
      '!',
      '<',
      '^',
    ),
    fc.string({ maxLength: 8 }),
  );
  const lines = fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 8 });
  const prefix = fc.constantFrom(
    '',
    '!Type:Bank\n',
    'OFXHEADER:100\n<OFX><STMTTRN>',
    '<Document><BkToCstmrStmt>',
    '\ufeff',
  );
  const text = fc
    .tuple(prefix, lines, fc.constantFrom(',', ';', '\t', '\n'))
    .map(([begin, rows, delimiter]) => Buffer.from(begin + rows.map(row => row.join(delimiter)).join('\n')));
  const column = fc.oneof(
    fc.constantFrom('1', '2', '9', 'Date', 'Amount'),
    fc.string({ minLength: 1, maxLength: 5 }),
  );
  const options = fc.record(
    {
      format: fc.constantFrom('csv', 'ofx', 'qif', 'camt053'),
      dateFormat: fc.constantFrom('YMD', 'DMY', 'MDY'),
      decimal: fc.constantFrom('point', 'comma'),
      delimiter: fc.constantFrom('comma', 'semicolon', 'tab'),
      skip: fc.integer({ min: 0, max: 100 }),
      header: fc.boolean(),
      flip: fc.boolean(),
      columns: fc.record(
        { date: column, amount: column, debit: column, merchant: column, category: column },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<ImportOptions>;

  it('are read or refused, and what is read can be recorded', () => {
    const bytes = fc.oneof(text, fc.uint8Array({ maxLength: 300 }));
    fc.assert(
      fc.property(bytes, options, fc.constantFrom('EUR', 'JPY', 'KWD'), (file, said, currency) => {
        const rules = contentRules(currency);
        try {
          const rows = importRows(readImport(file, said, rules).entries, 'default', rules);
          assert.ok(rows.length > 0);
          for (const { transaction, problem } of rows) {
            assert.equal(transaction === null, problem !== null);
            if (transaction === null) continue;
            assert.ok(
              rules.isId(transaction.id) &&
                rules.isDate(transaction.date) &&
                rules.isMerchant(transaction.merchant),
            );
            assert.ok(
              Number.isInteger(transaction.amount) &&
                transaction.amount > 0 &&
                transaction.amount <= rules.amountMax,
            );
          }
        } catch (error) {
          if (!(error instanceof ImportUnreadable || error instanceof UnknownColumn)) throw error;
        }
      }),
      { numRuns: propertyRuns(3_000) },
    );
  });
});

describe('the name of an account', () => {
  it('is compared without case and spaces', () => {
    assert.equal(foldSource('  My  MİGROS card '), foldSource('my migros card'));
  });
});
