import type { Configuration } from './configuration.js';
import type { RunningServer } from './serve.js';

/** Tells a person at a terminal where the server is; elsewhere the output is JSON lines only. */
export function welcome({ url, hasWeb }: RunningServer, { dataDirectory, appUrl }: Configuration): void {
  if (!process.stdout.isTTY) return;
  process.stdout.write(
    [
      '',
      `  Household Ledger is running at ${hasWeb ? (appUrl ?? url) : url}`,
      `  API                            ${url}/v1`,
      `  API reference                  ${url}/docs`,
      `  Data                           ${dataDirectory}`,
      '',
      '  Press Ctrl-C to stop.',
      '',
      '',
    ].join('\n'),
  );
}
