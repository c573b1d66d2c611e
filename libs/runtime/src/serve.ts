import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpApp, listen } from '#http/create-http-app';
import { Readiness } from '#http/readiness';
import { WebApp } from '#http/web-app';
import { isForOperators } from '#engine/households/store-failures';
import { DatabaseRefused } from '#storage/sqlite/unavailable';
import { API_DESCRIPTION } from './api-description.js';
import { closeAll, closeAllAfterFailure, type Closing } from './closing.js';
import { ConfigurationError, readConfiguration, type Configuration } from './configuration.js';
import { hasEmbeddedStore } from './stores.js';
import { startRuntime, type LedgerRuntime, type RuntimeRole } from './ledger-runtime.js';
import { serverLog } from './log.js';
import { registerChecks } from './readiness-checks.js';
import { readServerArguments, type ServerArguments, type ServerProgram } from './server-arguments.js';

export interface RunningServer {
  readonly url: string;
  readonly hasWeb: boolean;
  readonly app: NestFastifyApplication;
  readonly runtime: LedgerRuntime;
  /** Finishes running requests, writes checkpoints and closes the stores. Safe to call twice. */
  stop(): Promise<void>;
}

/** How long after the first signal to stop the process ends at the latest. */
const STOP_MS_MAX = 9_500;

/** Starts the API with everything below it. @throws ConfigurationError, DatabaseRefused */
export async function startServer(
  configuration: Configuration,
  logger: Logger,
  role: RuntimeRole,
  moduleOf: (runtime: LedgerRuntime) => Type | DynamicModule,
): Promise<RunningServer> {
  const runtime = await startRuntime(configuration, logger, role);
  const closings: Closing[] = [() => runtime.stop()];
  try {
    const { trustProxy } = configuration;
    const { tracing, preparation } = runtime;
    const basePath = basePathOf(configuration);
    const web = role.answersApi ? webAppOf(configuration, basePath, logger) : undefined;
    const app = await createHttpApp(moduleOf(runtime), {
      logger,
      trustProxy,
      description: API_DESCRIPTION,
      basePath,
      prepared: preparation.done,
      ...(web && { web }),
      observe: runtime.metrics.answered,
      ...(tracing && { enclose: (request, reply, next) => tracing.request(request, reply, next) }),
    });
    closings.unshift(() => app.close());
    registerChecks(app.get(Readiness), runtime);
    await listen(app, configuration.port, configuration.host);
    runtime.serverUrl = addressOf(app, configuration.host);
    logger.info({ url: runtime.serverUrl }, 'listening');
    let stopping: Promise<void> | null = null;
    const stop = (): Promise<void> => (stopping ??= closeAll(closings));
    return { url: runtime.serverUrl, hasWeb: web !== undefined, app, runtime, stop };
  } catch (error) {
    await closeAllAfterFailure(closings, logger);
    throw refusedAddress(error, configuration) ?? error;
  }
}

/** What Vite built, beside the compiled programs. */
const WEB_FOLDER = fileURLToPath(new URL('../../../web/', import.meta.url));

function basePathOf({ appUrl }: Configuration): string {
  return appUrl === null ? '/' : `${new URL(appUrl).pathname.replace(/\/+$/, '')}/`;
}

function webAppOf({ web }: Configuration, basePath: string, logger: Logger): WebApp | undefined {
  if (!web) return undefined;
  const app = WebApp.read(WEB_FOLDER, basePath);
  if (app === undefined) logger.warn('the web app is not built: only the API is served');
  return app;
}

/**
 * Ends the process on SIGTERM and SIGINT, within ten seconds: exit code 0 where everything was closed in order, 1 where
 * that failed or did not end in time, which the log says.
 */
export function stopOnSignals(
  server: Pick<RunningServer, 'stop'>,
  logger: Logger,
  stopMsMax: number = STOP_MS_MAX,
): void {
  let signalled = false;
  const stop = (signal: string): void => {
    if (signalled) return;
    signalled = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error({ after_ms: stopMsMax }, 'did not stop in time');
      process.exit(1);
    }, stopMsMax).unref();
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of SIGNALS) {
    process.off(signal, endAtOnce);
    process.on(signal, stop);
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Before there is anything to stop, in a container's first process: any other one ends by a signal without a listener. */
function endAtOnce(signal: (typeof SIGNALS)[number]): void {
  process.exit(128 + constants.signals[signal]);
}

/**
 * Runs a server program: reads the arguments and the configuration, starts, and turns what the operator can mend into
 * one sentence on standard error and exit code 1, or 2 for arguments that it does not have.
 */
export async function runProgram(
  program: ServerProgram,
  start: (configuration: Configuration, logger: Logger, asked: ServerArguments) => Promise<void>,
): Promise<void> {
  const asked = readServerArguments(program);
  if (process.pid === 1) for (const signal of SIGNALS) process.on(signal, endAtOnce);
  let logger: Logger | null = null;
  try {
    const configuration = readConfiguration();
    logger = serverLog(configuration.logLevel);
    await start(configuration, logger, asked);
  } catch (error) {
    if (!isSentence(error)) throw error;
    // So that the reason is the last thing that is said, and not that something was up to date before.
    logger?.flush();
    process.stderr.write(`Cannot start: ${error.message}\n`);
    process.exitCode = 1;
  }
}

/** Whether its message was made for the operator who starts the program. */
function isSentence(error: unknown): error is Error {
  return error instanceof ConfigurationError || error instanceof DatabaseRefused || isForOperators(error);
}

function addressOf(app: NestFastifyApplication, host: string): string {
  const address = app.getHttpServer().address() as { readonly port: number };
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}

/** What an operator has to set otherwise where the system does not let the server listen; null for any other fault. */
function refusedAddress(error: unknown, { host, port }: Configuration): ConfigurationError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigurationError(`Port ${port} on ${host} is already in use. Set PORT to another port.`);
    case 'EACCES':
      return new ConfigurationError(`This user may not listen on port ${port}. Set PORT to another port.`);
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigurationError(
        `HOST must be an address or name of this machine; ${host} is not (${code}).`,
      );
    default:
      return null;
  }
}

/** @throws ConfigurationError where a program that shares its stores with others would keep one to itself */
export function requireServers(configuration: Configuration, program: string): void {
  if (!hasEmbeddedStore(configuration)) return;
  throw new ConfigurationError(
    `${program} shares its stores with other processes. Set EVENTSTORE_URL, MONGODB_URL and REDIS_URL, or run the standalone server (npm start).`,
  );
}

/** Tells a person at a terminal where the server is; elsewhere the output is JSON lines only. */
export function welcome({ url, hasWeb }: RunningServer, { dataDirectory, appUrl }: Configuration): void {
  if (!process.stdout.isTTY) return;
  process.stdout.write(`
  Household Ledger is running at ${hasWeb ? (appUrl ?? url) : url}
  API                            ${url}/v1
  API reference                  ${url}/docs
  Data                           ${dataDirectory}

  Press Ctrl-C to stop.

`);
}
