import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  /** The name of the span above it, where that was sent as well. */
  readonly parent: string | null;
}

// What is looked at of OTLP over HTTP in JSON.
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly {
        readonly key: string;
        readonly value: { readonly stringValue?: string };
      }[];
    };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
      }[];
    }[];
  }[];
}

/** Takes spans as a collector of OpenTelemetry does. */
export class TraceCollector {
  readonly #spans: (Omit<CollectedSpan, 'parent'> & {
    readonly id: string;
    readonly above: string | undefined;
  })[] = [];
  #server: Server | null = null;

  /** The variables that send spans here, soon. */
  async start(): Promise<Record<string, string>> {
    this.#server = createServer((request, response) => {
      void json(request).then((body) => {
        this.#take(body as Export);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
  }

  spans(): readonly CollectedSpan[] {
    const names = new Map(this.#spans.map(({ id, name }) => [id, name]));
    return this.#spans.map(({ service, name, traceId, above }) => ({
      ...{ service, name, traceId },
      parent: above === undefined ? null : (names.get(above) ?? null),
    }));
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  #take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const { name, traceId, spanId, parentSpanId } of scopeSpans.flatMap(({ spans }) => spans))
        this.#spans.push({ service, name, traceId, id: spanId, above: parentSpanId });
    }
  }
}
