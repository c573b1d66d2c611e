import { pino, type Logger } from 'pino';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpApp } from '#http/create-http-app';
import { Readiness } from '#http/readiness';
import { DatabaseRefused } from '#sqlite/unavailable';
import { API_DESCRIPTION } from './api-description.js';
import { ConfigurationError, readConfiguration, type Configuration } from './configuration.js';
import { LedgerRuntime } from './ledger-runtime.js';

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly runtime: LedgerRuntime;
  /** Finishes running requests, writes checkpoints and closes the stores. Safe to call twice. */
  stop(): Promise<void>;
}

/** After the first signal to stop, the process ends at the latest so much later. */
const STOP_MS_MAX = 9_500;

/** Starts the API with everything below it. @throws ConfigurationError, DatabaseRefused */
export async function startServer(
  configuration: Configuration,
  logger: Logger,
  moduleOf: (runtime: LedgerRuntime) => Type | DynamicModule,
): Promise<RunningServer> {
  const runtime = await LedgerRuntime.start(configuration, logger);
  try {
    const { trustProxy } = configuration;
    const app = await createHttpApp(moduleOf(runtime), {
      logger,
      trustProxy,
      description: API_DESCRIPTION,
      observe: answer => runtime.metrics.answered(answer),
    });
    registerChecks(app.get(Readiness), runtime);
    await app.listen(configuration.port, configuration.host);
    runtime.serverUrl = addressOf(app, configuration.host);
    let stopping: Promise<void> | null = null;
    const stop = (): Promise<void> => (stopping ??= app.close().then(() => runtime.stop()));
    return { url: runtime.serverUrl, app, runtime, stop };
  } catch (error) {
    await runtime.stop();
    throw isAddressInUse(error)
      ? new ConfigurationError(
          `Port ${configuration.port} on ${configuration.host} is taken; set PORT to another one.`,
        )
      : error;
  }
}

/** Ends the process cleanly on SIGTERM and SIGINT: exit code 0, within ten seconds. */
export function stopOnSignals(server: Pick<RunningServer, 'stop'>, logger: Logger): void {
  let signalled = false;
  const stop = (signal: string): void => {
    if (signalled) return;
    signalled = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(0), STOP_MS_MAX).unref();
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}

/**
 * Runs a server program: reads the configuration, starts, and turns what the operator can mend into one sentence
 * on standard error and exit code 1.
 */
export async function runProgram(
  start: (configuration: Configuration, logger: Logger) => Promise<void>,
): Promise<void> {
  try {
    const configuration = readConfiguration();
    await start(configuration, pino({ level: configuration.logLevel, base: null }));
  } catch (error) {
    if (!(error instanceof ConfigurationError) && !(error instanceof DatabaseRefused)) throw error;
    process.stderr.write(`Cannot start: ${error.message}\n`);
    process.exitCode = 1;
  }
}

function registerChecks(readiness: Readiness, { stores, projections }: LedgerRuntime): void {
  readiness.register('event store', () => stores.eventStore.ping().then(() => null));
  readiness.register('documents', () => stores.documents.ping().then(() => null));
  readiness.register('jobs', () => stores.jobs.ping().then(() => null));
  readiness.register('projections', () => {
    const { caughtUp, waitingFor, failing } = projections.status();
    if (waitingFor !== null) return `waiting: ${waitingFor}`;
    if (failing.length > 0) {
      const named = failing.slice(0, 5).map(({ householdId, error }) => `${householdId} (${error})`);
      return `${failing.length} household(s) stopped: ${named.join('; ')}`;
    }
    return caughtUp ? null : 'catching up with the event log';
  });
}

function addressOf(app: NestFastifyApplication, host: string): string {
  const address = app.getHttpServer().address() as { readonly port: number };
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
