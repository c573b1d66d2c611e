import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeTime } from 'ulid';
import { propertyRuns } from '../../../test/property-runs.js';
import { contentRules } from '#budget/imports/content-rules';
import { DerivedIds, isAtMidnight, type IdParts } from './derived-id.js';
import { importRows } from './import-rows.js';
import { readImport } from './read-import.js';

const PARTS: IdParts = {
  source: 'default',
  bankId: null,
  date: '2026-01-15',
  amount: -350,
  merchant: 'Café',
};

const idOf = (parts: Partial<IdParts> = {}): string => new DerivedIds().next({ ...PARTS, ...parts });

describe('derived ids', () => {
  it('are ULIDs of midnight, and the same for ever', () => {
    assert.equal(idOf(), '01KEZF7C00CFWQ66R7E0BFPNJD');
    assert.equal(decodeTime(idOf()), Date.parse('2026-01-15T00:00:00Z'));
    assert.ok(isAtMidnight(idOf()));
    assert.ok(isAtMidnight(idOf({ date: '1969-12-31' })));
    assert.ok(!isAtMidnight('01JZ8Q4T0V6W2X3Y4Z5A6B7C8D'));
  });

  it('depend on all that tells entries apart', () => {
    const others = [
      idOf({ source: 'other' }),
      idOf({ bankId: 'A' }),
      idOf({ date: '2026-01-16' }),
      idOf({ amount: 350 }),
      idOf({ merchant: 'Cafe' }),
    ];
    assert.equal(new Set([idOf(), ...others]).size, 6);
    assert.equal(idOf({ merchant: 'CAFÉ' }), idOf());
  });
});

/** A statement of one account: for each day what was bought on it. */
const statement = fc.array(
  fc.array(
    fc.record({
      merchant: fc.constantFrom('Café', 'CAFÉ', 'Bakery', 'Kiosk'),
      cents: fc.constantFrom(-350, -200, 1000),
      bankId: fc.constantFrom('', 'A', 'B'),
    }),
    { maxLength: 6 },
  ),
  { minLength: 1, maxLength: 12 },
);

interface Bought {
  readonly day: number;
  readonly merchant: string;
  readonly cents: number;
  readonly bankId: string;
}

function csv(bought: readonly Bought[]): string {
  const rows = bought.map(({ day, merchant, cents }) => `2026-01-${10 + day},${merchant},${cents / 100}`);
  return ['Date,Payee,Amount', ...rows].join('\n');
}

function ofx(bought: readonly Bought[]): string {
  const entries = bought.map(
    ({ day, merchant, cents, bankId }) =>
      `<STMTTRN><DTPOSTED>202601${10 + day}<TRNAMT>${cents / 100}${bankId && `<FITID>${bankId}`}<NAME>${merchant}</STMTTRN>`,
  );
  return `OFXHEADER:100\n<OFX>${entries.join('\n')}</OFX>`;
}

function idsIn(text: string): string[] {
  const rules = contentRules('EUR');
  const { entries } = readImport(Buffer.from(text), {}, rules);
  return importRows(entries, 'default', rules).map(({ transaction }) => transaction!.id);
}

describe('imports', () => {
  for (const write of [csv, ofx]) {
    it(`count every entry once, whatever days files have in common and in which order: ${write.name}`, () => {
      fc.assert(
        fc.property(statement, fc.nat(), fc.nat(), fc.nat(), (days, a, b, seed) => {
          const bought = days.flatMap((entries, day) => entries.map(entry => ({ day, ...entry })));
          const [from, to] = [a % (days.length + 1), b % (days.length + 1)];
          // Two files of whole days that overlap, one of them with its days and its entries in another order.
          const first = bought.filter(({ day }) => day < Math.max(from, to));
          const second = bought.filter(({ day }) => day >= Math.min(from, to));
          const shuffled = second
            .map((entry, at) => ({ entry, place: ((at + 1) * (seed + 7_919)) % 104_729 }))
            .sort((x, y) => x.place - y.place)
            .map(({ entry }) => entry);
          const imported = new Set<string>();
          for (const file of [first, shuffled, first, second]) {
            if (file.length === 0) continue;
            const ids = idsIn(write(file));
            assert.equal(new Set(ids).size, file.length);
            for (const id of ids) imported.add(id);
          }
          assert.equal(imported.size, bought.length);
          if (bought.length > 0) assert.deepEqual(new Set(idsIn(write(bought))), imported);
        }),
        { numRuns: propertyRuns(300) },
      );
    });
  }
});
