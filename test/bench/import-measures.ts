import { bounded, median, type Figure } from './figures.js';
import type { LedgerServer } from './ledger-server.js';
import { postTarget } from './bench-households.js';
import type { Bench } from './measures.js';

/** As many as a file may have. */
const ROWS = 20_000;
const ROUNDS = 5;
const PREVIEW_S_MAX = 3;
const MORE_MIB_MAX = 200;
const SAMPLE_MS = 20;

/** The statement of a month, as a German bank writes it. */
function statement(month: string): string {
  const [year, number] = month.split('-');
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const day = String(1 + (at % 28)).padStart(2, '0');
    const amount = `-${at % 900},${String(at % 100).padStart(2, '0')}`;
    return `"${day}.${number}.${year}";"Händler ${at % 700} GmbH";"Rechnung ${at}, danke für Ihren Einkauf";"${amount}"`;
  });
  return `"Buchungstag";"Empfänger";"Verwendungszweck";"Betrag"\n${rows.join('\n')}\n`;
}

/** Previews of a whole file in the old household: how long one takes, and what it takes of memory. */
export async function previewsOfWholeFile(bench: Bench, server: LedgerServer): Promise<Figure[]> {
  const { households, progress } = bench;
  const { token, old: householdId } = households;
  const { month } = await postTarget(server, token, householdId);
  const file = statement(month);
  const seconds: number[] = [];
  const before = server.memory ?? 0;
  let most = before;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    const sampling = setInterval(() => (most = Math.max(most, server.memory ?? 0)), SAMPLE_MS);
    const counts = await preview(server, file, token, householdId);
    clearInterval(sampling);
    seconds.push((performance.now() - begun) / 1000);
    progress(`preview of ${ROWS} rows: ${seconds.at(-1)!.toFixed(2)} s, ${JSON.stringify(counts)}`);
  }
  const name = `POST /imports/preview of ${ROWS.toLocaleString('en-US')} rows`;
  const figures = [bounded(`${name}, s`, median(seconds), PREVIEW_S_MAX, 's')];
  if (server.memory === null) return figures;
  return [...figures, bounded(`${name}, MiB more than before`, most - before, MORE_MIB_MAX, 'MiB')];
}

async function preview(
  server: LedgerServer,
  file: string,
  token: string,
  householdId: string,
): Promise<Readonly<Record<string, number>>> {
  const response = await fetch(`${server.url}/v1/imports/preview`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Service-Household': householdId,
      'Content-Type': 'text/csv',
    },
    body: file,
  });
  if (response.status !== 200) throw new Error(`a preview answered ${response.status}`);
  const { counts } = (await response.json()) as { readonly counts: Readonly<Record<string, number>> };
  return counts;
}
