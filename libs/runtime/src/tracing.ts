import { AsyncLocalStorage } from 'node:async_hooks';
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { within } from '#concurrency/within';
import { isQuietRoute } from '#http/request-log';

/**
 * What a span says besides its name: names that the program chose, ids of its own, counts. Never a text that a user
 * wrote, an address, a search, or a secret.
 */
type SpanAttributes = Readonly<Record<string, string | number>>;

/** At most this many spans wait to be sent; further ones are dropped. */
const WAITING_SPANS_MAX = 2_048;
const BATCH_SPANS_MAX = 512;
const SEND_EVERY_MS = 1_000;
/** How long one attempt to send may take, repetitions included. */
const SEND_TIMEOUT_MS = 5_000;
/** How long the end of the process waits for the last spans to be sent. */
const LAST_SEND_MS_MAX = 1_000;
const TROUBLE_EVERY_MS = 60_000;

interface TracingOptions {
  /** The collector's address as `OTEL_EXPORTER_OTLP_ENDPOINT` gives it: without `/v1/traces`. */
  readonly endpoint: string;
  /** Tells the processes of one installation apart. */
  readonly instance: string;
  readonly logger: Logger;
}

/**
 * Traces by OpenTelemetry's own packages, sent by OTLP over HTTP. Nothing of it throws or waits for the collector. The
 * packages are more than 100 modules: this module alone imports them, and is imported only where an endpoint is set. The
 * context is kept here and not in their global registry, so that several services run in one process of the tests.
 */
export class Tracing {
  private readonly active = new AsyncLocalStorage<Context>();
  private readonly incoming = new W3CTraceContextPropagator();

  private constructor(
    private readonly provider: TracerProvider,
    private readonly tracer: Tracer,
  ) {}

  static start({ endpoint, instance, logger }: TracingOptions): Tracing {
    logTrouble(logger);
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      timeoutMillis: SEND_TIMEOUT_MS,
    });
    const processor = new BatchSpanProcessor({
      exporter,
      maxQueueSize: WAITING_SPANS_MAX,
      maxExportBatchSize: BATCH_SPANS_MAX,
      scheduledDelayMillis: SEND_EVERY_MS,
      exportTimeoutMillis: SEND_TIMEOUT_MS + 1_000,
    });
    const provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': 'household-ledger',
        'service.instance.id': instance,
      }),
      spanProcessors: [processor],
    });
    return new Tracing(provider, provider.getTracer('household-ledger'));
  }

  /** Runs everything that answers a request below one span; health and metrics are left out. */
  request(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    const route = request.is404 ? null : (request.routeOptions.url ?? null);
    if (isQuietRoute(route)) return next();
    const parent = this.incoming.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const { method } = request;
    const attributes = {
      'http.request.method': method,
      'ledger.request_id': request.id,
      ...(route !== null && { 'http.route': route }),
    };
    const name = route === null ? method : `${method} ${route}`;
    const span = this.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    // Comes after every answer, and when the client goes away before it has one.
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw;
      span.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    this.active.run(trace.setSpan(parent, span), next);
  }

  /** Runs work below the span that is under way; where none is, only runs it. */
  child<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    const parent = this.active.getStore();
    return parent === undefined ? work() : this.inSpan(parent, name, attributes, work);
  }

  /** `child` for what comes in pages; the span ends with the last one that is taken. */
  async *childPages<T>(name: string, pages: AsyncIterable<T>): AsyncGenerator<T> {
    const parent = this.active.getStore();
    const span = parent && this.tracer.startSpan(name, {}, parent);
    try {
      yield* pages;
    } catch (error) {
      if (span) failed(span, error);
      throw error;
    } finally {
      span?.end();
    }
  }

  /** Runs work that no request asked for, below a span of its own. */
  root<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    return this.inSpan(ROOT_CONTEXT, name, attributes, work);
  }

  /** Sends what is gathered, for a bounded time. */
  async stop(): Promise<void> {
    const sent = this.provider.shutdown().catch(() => undefined);
    await within(sent, LAST_SEND_MS_MAX, () => undefined);
  }

  private async inSpan<T>(
    parent: Context,
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<T>,
  ): Promise<T> {
    const span = this.tracer.startSpan(name, { attributes }, parent);
    try {
      return await this.active.run(trace.setSpan(parent, span), work);
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  }
}

/** Only what kind of failure it was: the messages of errors can hold what a user wrote. */
function failed(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Failures to send go only to the log, and seldom. */
function logTrouble(logger: Logger): void {
  let loggedAt = -Infinity;
  setGlobalErrorHandler(error => {
    if (performance.now() - loggedAt < TROUBLE_EVERY_MS) return;
    loggedAt = performance.now();
    const reason =
      error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : 'unknown';
    logger.warn({ reason }, 'traces cannot be sent; they are dropped until the collector answers');
  });
}
