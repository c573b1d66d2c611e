// Prints what is left of each budget item of a month, and again whenever somebody changes it.
//   LEDGER_URL=http://127.0.0.1:3000 LEDGER_TOKEN=hbp_… node left.js 2026-01 [--follow]
import { createClient, dataOf, LedgerError } from 'household-ledger-client';

const { LEDGER_URL = 'http://127.0.0.1:3000', LEDGER_TOKEN } = process.env;
const [name = new Date().toISOString().slice(0, 7), follow] = process.argv.slice(2);
const ledger = createClient({ url: LEDGER_URL, token: LEDGER_TOKEN });

async function print() {
  const month = await dataOf(ledger.GET('/months/{month}', { params: { path: { month: name } } }));
  for (const { items, is_income } of month.groups) {
    if (is_income) continue;
    for (const item of items) console.log(`${item.name}: ${item.remaining} of ${item.planned}`);
  }
}

try {
  await print();
  if (follow === '--follow') {
    for await (const { months } of ledger.changes()) if (months.includes(name)) await print();
  }
} catch (error) {
  if (!(error instanceof LedgerError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
