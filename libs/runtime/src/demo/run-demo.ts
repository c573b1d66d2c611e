import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamicModule, Type } from '@nestjs/common';
import type { Configuration } from '../configuration.js';
import { outboxIn } from '../data-files.js';
import type { LedgerRuntime } from '../ledger-runtime.js';
import { serverLog } from '../log.js';
import { startServer, stopOnSignals, type RunningServer } from '../serve.js';
import type { DemoHousehold } from './demo-household.js';

/**
 * Runs a server on embedded stores in a fresh directory, with a household in it, and says how to try it. What the
 * environment says of stores, backups and mail is left aside, so that a demo never touches real data.
 * The directory is kept when the server ends; a server that could not start leaves none.
 */
export async function runDemo(
  configuration: Configuration,
  moduleOf: (runtime: LedgerRuntime) => Type | DynamicModule,
): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'household-ledger-demo-'));
  const logger = serverLog(configuration.logLevel ?? 'warn');
  const embedded = { eventStoreUrl: null, mongodbUrl: null, redisUrl: null, smtpUrl: null, secretKey: null };
  const own = { allowedEmails: ['*'], appUrl: null, backups: null };
  const demo = { ...configuration, ...embedded, dataDirectory, ...own };
  let server: RunningServer;
  try {
    server = await startServer(demo, logger, { projects: true, answersApi: true }, moduleOf);
  } catch (error) {
    // The port is taken, for example. The directory is still empty and was not announced.
    rmSync(dataDirectory, { recursive: true, force: true });
    throw error;
  }
  let isStopping = false;
  const stop = (): Promise<void> => {
    isStopping = true;
    return server.stop();
  };
  stopOnSignals({ stop }, logger);
  process.stdout.write('Creating the demo household …\n');
  try {
    // Only a demo needs the client.
    const { makeDemoHousehold } = await import('./demo-household.js');
    const household = await makeDemoHousehold({
      serverUrl: server.url,
      outbox: outboxIn(dataDirectory),
      today: new Date().toISOString().slice(0, 10),
    });
    process.stdout.write(instructions(server, dataDirectory, household));
  } catch (error) {
    // It was stopped meanwhile.
    if (isStopping) return;
    await stop();
    throw error;
  }
}

function instructions(
  { url, hasWeb }: RunningServer,
  directory: string,
  { email, password, token, month }: DemoHousehold,
): string {
  return `
  Household Ledger is running with a demo household: three months, two members, funds.

${hasWeb ? `    Open           ${url}/\n` : ''}    API            ${url}/v1
    API reference  ${url}/docs
    Sign-in        ${email} / ${password}
    Token          ${token}
    Data           ${directory} (new on every start; delete it when you are done)

  Try it:

    curl -sw '\\n' -H 'Authorization: Bearer ${token}' ${url}/v1/months/${month}
    curl -sw '\\n' -H 'Authorization: Bearer ${token}' '${url}/v1/transactions?view=untracked&limit=3'
    curl -sw '\\n' -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\
         -d '{"id":"01K00000000000000000000DEM","type":"expense","amount":1250,"date":"${month}-01","merchant":"Bakery","splits":[]}' \\
         ${url}/v1/transactions

  Inspect it with the ledger command, in this directory:

    DATA_DIR='${directory}' npx ledger households

  Press Ctrl-C to stop.

`;
}
