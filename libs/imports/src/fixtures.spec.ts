// Files made up after those of real banks and programs, each with every row that they have to give.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { decimalText } from '#ledger/values';
import { contentRules } from '#budget/imports/content-rules';
import type { ContentRules, ImportedFile, ImportOptions } from './imported-file.js';
import { importRows, type ImportRow } from './import-rows.js';
import { readImport } from './read-import.js';

const FIXTURES = new URL('../../../../libs/imports/fixtures/', import.meta.url);

interface Expected {
  readonly currency: string;
  readonly options?: ImportOptions;
  /** Format, dates, decimals, delimiter, encoding, lines before the header, and what is left open. */
  readonly dialect: string;
  /** Row, date, amount, merchant, (note), [category]; or row and problem. */
  readonly rows: readonly string[];
}

const EXPECTED: Readonly<Record<string, Expected>> = {
  'actual-export.csv': {
    currency: 'USD',
    dialect: 'csv YMD point comma utf-8 skip 0',
    rows: [
      '2 The amount is zero.',
      '3 2026-01-20 -60.00 Costco ((SPLIT 1 OF 2)) [Food]',
      '4 2026-01-20 -20.25 Costco ((SPLIT 2 OF 2)) [General]',
      '5 2026-01-21 +1500.00 Unknown [Income]',
    ],
  },
  'ambiguous.csv': {
    currency: 'USD',
    dialect: 'csv MDY point comma utf-8 skip 0 ambiguous date_format',
    rows: ['2 2026-03-04 -3.50 Bakery', '3 2026-05-06 -2.00 Kiosk'],
  },
  'br-itau.csv': {
    currency: 'BRL',
    dialect: 'csv DMY comma semicolon windows-1252 skip 3',
    rows: ['5 2026-01-15 -1234.56 PIX TRANSF MARIA', '6 2026-01-16 +0.37 RENDIMENTOS'],
  },
  'br-nubank.csv': {
    currency: 'BRL',
    dialect: 'csv DMY point comma utf-8 skip 0',
    rows: [
      '2 2026-01-14 -25.90 Compra no débito - PADARIA SÃO JOÃO',
      '3 2026-01-20 +3200.00 Transferência recebida - EMPRESA LTDA',
    ],
  },
  'ch-camt053-v02.xml': {
    currency: 'CHF',
    dialect: 'camt053',
    rows: [
      '1 2026-01-15 -45.90 Migros & Co (Einkauf Januar)',
      '2 2026-01-25 +4321.00 Arbeitgeber AG (Lohn)',
      '3 2026-01-26 +10.00 Anna (Sammelgutschrift)',
      '4 2026-01-26 +20.00 Beat (Sammelgutschrift)',
      '5 The entry is pending.',
    ],
  },
  'ch-postfinance.csv': {
    currency: 'CHF',
    dialect: 'csv DMY point semicolon utf-8 skip 6',
    rows: [
      '8 2026-01-31 -23.45 LASTSCHRIFT MIGROS ZÜRICH [Lebensmittel]',
      '9 2026-01-25 +4321.00 GUTSCHRIFT LOHN [Einkommen]',
    ],
  },
  'ch-ubs.csv': {
    currency: 'CHF',
    dialect: 'csv YMD point semicolon utf-8 skip 9',
    rows: [
      '11 2026-01-28 -1249.50 Immo AG (Dauerauftrag)',
      '12 2026-01-25 +500.00 Oma Meier (Gutschrift)',
      '13 The amount is in EUR, and the household uses CHF.',
    ],
  },
  'day-first.qif': {
    currency: 'EUR',
    dialect: 'qif DMY comma',
    rows: ['1 2026-01-15 -1234.56 Hausverwaltung', '2 2026-01-31 +20.00 Oma (Oma)'],
  },
  'de-camt053-v08.xml': {
    currency: 'EUR',
    dialect: 'camt053',
    rows: [
      '1 2026-01-28 -1050.00 Hausverwaltung Müller (RF18539007547034)',
      '2 The amount is in USD, and the household uses EUR.',
      '3 2026-01-30 +2.50 Storno Gebühr (Storno Gebühr)',
    ],
  },
  'de-dkb.csv': {
    currency: 'EUR',
    dialect: 'csv DMY comma semicolon utf-8 skip 4',
    rows: ['6 The entry is pending.', '7 2026-01-28 -1050.00 Hausverwaltung Rot (Miete Februar)'],
  },
  'de-ing.csv': {
    currency: 'EUR',
    dialect: 'csv DMY comma semicolon windows-1252 skip 13',
    rows: [
      '15 2026-01-30 -89.00 Stadtwerke Köln (Abschlag Januar)',
      '16 2026-01-15 -7.40 Café "Zum Eck"',
      '17 2026-01-15 -7.40 Café "Zum Eck"',
    ],
  },
  'de-n26.csv': {
    currency: 'EUR',
    dialect: 'csv YMD point comma utf-8 skip 0',
    rows: ['2 2026-01-15 -39.90 Deutsche Bahn', '3 2026-01-20 +400.00 Ida Beispiel (Rent, back)'],
  },
  'de-sparkasse-camt.csv': {
    currency: 'EUR',
    dialect: 'csv DMY comma semicolon windows-1252 skip 0',
    rows: [
      '2 2026-01-30 +2345.67 Müller & Söhne GmbH (Gehalt Januar)',
      '3 2026-01-29 -45.90 REWE SAGT DANKE (2026-01-28T18:22 Debitk.1 2028-12)',
      '4 The entry is pending.',
    ],
  },
  'de-volksbank.csv': {
    currency: 'EUR',
    dialect: 'csv DMY comma semicolon utf-8 skip 0',
    rows: [
      '2 2026-01-14 +1112.05 Finanzamt Süd (Erstattung 2024)',
      '3 2026-01-13 -39.95 Telekom (Rechnung 01/26)',
    ],
  },
  'fr-banque-postale.tsv': {
    currency: 'EUR',
    dialect: 'csv DMY comma tab windows-1252 skip 6',
    rows: ['8 2026-01-29 -12.90 ACHAT CB PHARMACIE 28.01.26', '9 2026-01-13 +50.00 VIREMENT DE MME MARTIN'],
  },
  'fr-boursorama.csv': {
    currency: 'EUR',
    dialect: 'csv YMD comma semicolon utf-8 skip 0',
    rows: [
      '2 2026-01-15 -34.18 CARTE 14/01/26 MONOPRIX CB*1234 [Alimentation]',
      '3 2026-01-16 +1845.00 VIR SEPA Salaire [Salaires]',
    ],
  },
  'fr-credit-agricole.csv': {
    currency: 'EUR',
    dialect: 'csv DMY comma semicolon windows-1252 skip 8',
    rows: [
      '10 2026-01-30 -3.40 PAIEMENT PAR CARTE X1234 BOULANGERIE LÉA 29/01',
      '12 2026-01-05 +132.08 VIREMENT EN VOTRE FAVEUR CAF DE PARIS',
    ],
  },
  'gb-barclays.csv': {
    currency: 'GBP',
    dialect: 'csv DMY point comma utf-8 skip 0 ambiguous date_format',
    rows: [
      '2 2026-01-02 -9.99 NETFLIX.COM ON 01 JAN BCC (NETFLIX.COM ON 01 JAN BCC) [PAYMENT]',
      '3 2026-01-03 +1500.00 EMPLOYER SALARY (EMPLOYER SALARY) [FT]',
    ],
  },
  'gb-lloyds.csv': {
    currency: 'GBP',
    dialect: 'csv DMY point comma utf-8 skip 0',
    rows: ['2 2026-01-30 -23.10 TESCO STORES 2345', '3 2026-01-28 +250.00 A N OTHER'],
  },
  'gb-nationwide.csv': {
    currency: 'GBP',
    dialect: 'csv DMY point comma windows-1252 skip 4',
    rows: ['6 2026-01-05 -1120.00 COUNCIL TAX', '7 2026-01-06 +2000.00 EMPLOYER LTD'],
  },
  'gb-revolut.csv': {
    currency: 'GBP',
    dialect: 'csv YMD point comma utf-8 skip 0',
    rows: [
      '2 2026-01-15 -4.25 Pret A Manger',
      '3 The entry is pending.',
      '4 The entry was not made: reverted.',
      '5 The amount is in EUR, and the household uses GBP.',
    ],
  },
  'jp-mufg.csv': {
    currency: 'JPY',
    dialect: 'csv YMD point comma shift_jis skip 0',
    rows: ['2 2026-01-05 -8240 電気料', '3 2026-01-25 +300000 給与'],
  },
  'jp-rakuten-bank.csv': {
    currency: 'JPY',
    dialect: 'csv YMD point comma shift_jis skip 0',
    rows: ['2 2026-01-15 -1500 コンビニ', '3 2026-01-20 +20000 振込 ヤマダ タロウ'],
  },
  'jp-smbc.csv': {
    currency: 'JPY',
    dialect: 'csv YMD point comma utf-8 skip 0',
    rows: ['2 2026-01-09 -980 ＳＵＩＣＡ', '3 2026-01-10 -1200 スーパー'],
  },
  'month-first.qif': {
    currency: 'USD',
    dialect: 'qif MDY point',
    rows: [
      '1 2026-01-15 -1234.56 Landlord (January) [Home:Rent]',
      '2 2026-01-03 -80.00 Costco [Food:Groceries]',
      '3 2025-12-31 +2500.00 Acme [Salary]',
    ],
  },
  'own-export.csv': {
    currency: 'USD',
    dialect: 'csv YMD point comma utf-8 skip 0',
    rows: [
      '2 2026-01-15 -45.00 Costco (Weekly shop) [Food: Groceries, Home: Household]',
      '4 2026-02-01 +2500.00 =Employer (two lines)',
      '6 2026-01-16 -2.50 Kiosk [Food: Groceries] deleted',
    ],
  },
  'us-amex.csv': {
    currency: 'USD',
    options: { flip: true },
    dialect: 'csv MDY point comma utf-8 skip 0',
    rows: ['2 2026-01-22 -86.20 WHOLE FOODS MARKET', '3 2026-01-09 +412.88 AUTOPAY PAYMENT - THANK YOU'],
  },
  'us-bank-of-america.csv': {
    currency: 'USD',
    dialect: 'csv MDY point comma utf-8 skip 6',
    rows: [
      '8 The amount is missing.',
      '9 2026-01-13 -150.25 COSTCO WHSE #0001',
      '10 2026-01-30 +2000.00 ACME PAYROLL',
    ],
  },
  'us-bank.ofx': {
    currency: 'USD',
    dialect: 'ofx',
    rows: [
      '1 2026-01-15 -45.90 SAFEWAY #123 (GROCERIES & MORE)',
      '2 2026-01-31 +2500.00 ACME PAYROLL',
      '3 2026-01-20 -100.00 Café deposit (Café deposit)',
    ],
  },
  'us-card.qfx': {
    currency: 'USD',
    dialect: 'ofx',
    rows: ['1 2026-01-10 -12.00 TRANSIT', '2 2026-01-10 -12.00 TRANSIT', '3 2026-01-11 -30.00 MUSEO'],
  },
  'us-chase-checking.csv': {
    currency: 'USD',
    dialect: 'csv MDY point comma utf-8 skip 0',
    rows: [
      '2 2026-01-28 -54.12 TRADER JOE S #123 SEATTLE WA',
      '3 2026-01-15 +2500.00 PAYROLL ACME INC, PPD ID: 123',
      '4 2026-01-05 -1250.00 CHECK 1021',
    ],
  },
  'us-parentheses.csv': {
    currency: 'USD',
    dialect: 'csv YMD point comma utf-8 skip 0',
    rows: [
      '2 2026-01-03 -1800.00 Landlord (January)',
      '3 2026-01-04 +12.50 Refund',
      '4 2026-01-05 -12.50 Fee',
      '5 2026-01-06 -12.50 Kiosk',
      '6 2026-01-07 -12.50 Market',
      '7 The amount is in EUR, and the household uses USD.',
      '8 The amount has more decimals than USD.',
      '9 The date does not fit the format YMD.',
    ],
  },
  'us-wells-fargo-headerless.csv': {
    currency: 'USD',
    dialect: 'csv MDY point comma utf-8 skip 0',
    rows: [
      '1 2026-01-30 -25.00 ATM WITHDRAWAL 001',
      '2 2026-01-29 +1200.00 DIRECT DEPOSIT',
      '3 2026-01-02 -8.75 COFFEE SHOP',
    ],
  },
  'utf16-excel.csv': {
    currency: 'USD',
    dialect: 'csv YMD point tab utf-16le skip 0',
    rows: ['2 2026-01-15 -3.50 Café'],
  },
  'xml.ofx': {
    currency: 'EUR',
    dialect: 'ofx',
    rows: [
      '1 2026-01-15 -1234.56 Brot & Butter (Frühstück)',
      '2 The amount is in CHF, and the household uses EUR.',
      '3 The entry is pending.',
    ],
  },
  'ynab-register-german.csv': {
    currency: 'EUR',
    dialect: 'csv DMY comma comma utf-8 skip 0',
    rows: ['2 2026-01-15 -1045.90 Edeka [Essen: Lebensmittel]'],
  },
  'ynab-register.csv': {
    currency: 'USD',
    dialect: 'csv MDY point comma utf-8 skip 0',
    rows: [
      '2 2026-01-15 -45.90 Safeway (weekly) [Food: Groceries]',
      '3 2026-01-31 +2500.00 Employer [Inflow: Ready to Assign]',
      '4 The amount is zero.',
    ],
  },
  'de-volksbank-soll-haben.csv': {
    currency: 'EUR',
    dialect: 'csv DMY comma semicolon windows-1252 skip 4',
    rows: [
      '6 2026-01-30 -89.00 Stadtwerke (Abschlag Strom)',
      '7 2026-01-15 +2345.67 Arbeitgeber GmbH (Gehalt)',
    ],
  },
  'gb-monzo.csv': {
    currency: 'GBP',
    dialect: 'csv DMY point comma utf-8 skip 0',
    rows: [
      '2 2026-01-15 -4.25 Pret A Manger (croissant) [Eating out]',
      '3 2026-01-25 +2000.00 Employer Ltd [Income]',
    ],
  },
  'nl-ing.csv': {
    currency: 'EUR',
    dialect: 'csv YMD comma semicolon utf-8 skip 0',
    rows: [
      '2 2026-01-15 -23.45 Albert Heijn 1234 (Pasvolgnr: 001)',
      '3 2026-01-25 +2100.00 Werkgever BV (Salaris)',
    ],
  },
  'us-mint.csv': {
    currency: 'USD',
    dialect: 'csv MDY point comma utf-8 skip 0',
    rows: [
      "2 2026-01-28 -54.12 Trader Joe's [Groceries]",
      '3 2026-01-15 +2500.00 Acme Payroll (bonus) [Paycheck]',
    ],
  },
};

function dialectText({ format, dateFormat, decimal, csv, ambiguous }: ImportedFile): string {
  const written = csv === null ? [] : [csv.delimiter, csv.encoding, `skip ${csv.skip}`];
  const open = ambiguous.map(name => `ambiguous ${name}`);
  return [format, dateFormat, decimal, ...written, ...open].filter(part => part !== null).join(' ');
}

function rowText({ row, problem, transaction, category, isDeleted }: ImportRow, rules: ContentRules): string {
  const end = (category === null ? '' : ` [${category}]`) + (isDeleted ? ' deleted' : '');
  if (transaction === null) return `${row} ${problem}${end}`;
  const { date, type, amount, merchant, note } = transaction;
  const signed = `${type === 'expense' ? '-' : '+'}${decimalText(amount, rules.decimals)}`;
  return `${row} ${date} ${signed} ${merchant}${note === null ? '' : ` (${note})`}${end}`;
}

describe('statements of banks and programs', () => {
  it('are all expected', () => {
    assert.deepEqual(readdirSync(FIXTURES).sort(), Object.keys(EXPECTED).sort());
  });

  for (const [name, { currency, options = {}, dialect, rows }] of Object.entries(EXPECTED)) {
    it(`give every row: ${name}`, () => {
      const rules = contentRules(currency);
      const file = readImport(readFileSync(new URL(name, FIXTURES)), options, rules);
      assert.equal(dialectText(file), dialect);
      assert.deepEqual(
        importRows(file.entries, 'default', rules).map(row => rowText(row, rules)),
        rows,
      );
    });
  }

  it('keep the parts of a split entry', () => {
    const partsOf = (name: string): unknown => {
      const rules = contentRules('USD');
      const { entries } = readImport(readFileSync(new URL(name, FIXTURES)), {}, rules);
      return entries
        .map(({ parts }) => parts.map(({ category, amount }) => [category, amount]))
        .filter(parts => parts.length > 0);
    };
    assert.deepEqual(partsOf('own-export.csv'), [
      [
        ['Food: Groceries', 3000],
        ['Home: Household', 1500],
      ],
    ]);
    assert.deepEqual(partsOf('month-first.qif'), [
      [
        ['Food:Groceries', 6000],
        ['Home:Household', 2000],
      ],
    ]);
  });
});
