import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2 is a server's, 1 an internal one. */
  readonly kind: number;
  /** 2 is an error. */
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** What an OTLP collector is sent, by HTTP and JSON. */
export class TraceCollector {
  /** Everything that arrived, as it arrived. */
  readonly bodies: string[] = [];
  /** The addresses that were asked for. */
  readonly paths = new Set<string>();

  private constructor(private readonly server: Server) {}

  /** @param answers false for one that takes everything and never answers */
  static async start(answers = true): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => void collector.take(request, answers ? response : null));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  spans(): CollectedSpan[] {
    return this.bodies.flatMap(body => {
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: readonly SentResource[] };
      const sent = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
      return sent.map(span => ({ ...span, attributes: valuesOf(span.attributes) }));
    });
  }

  private async take(request: IncomingMessage, response: ServerResponse | null): Promise<void> {
    this.paths.add(request.url ?? '');
    this.bodies.push(await text(request));
    response?.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

interface SentResource {
  readonly scopeSpans: readonly {
    readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & { readonly attributes: SentAttributes })[];
  }[];
}

type SentAttributes = readonly {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}[];

function valuesOf(attributes: SentAttributes): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
