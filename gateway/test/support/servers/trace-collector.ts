/** An OpenTelemetry trace collector: it accepts OTLP over HTTP as JSON, and stores every span and every byte. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../tools/until.ts';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 is internal, 2 is server, 3 is client. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2 means error. */
  readonly status: number;
  /** The process that created it. */
  readonly instance: string;
}

export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** Returns every body so far. */
  text(): string;
  /** Waits for a trace that contains spans with all these names. */
  trace(...names: readonly string[]): Promise<readonly CollectedSpan[]>;
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    assert.equal(`${request.method} ${request.url}`, 'POST /v1/traces');
    const body = Buffer.concat(chunks).toString();
    headers.push(request.headers);
    bodies.push(body);
    spans.push(...spansOf(JSON.parse(body)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    text: () => bodies.join('\n'),
    trace: (...names) =>
      until(`one trace has ${names.join(', ')}`, () =>
        [...Map.groupBy(spans, ({ traceId }) => traceId).values()].find((trace) =>
          names.every((name) => trace.some((span) => span.name === name)),
        ),
      ),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string | number };
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number };
}

/** The OTLP JSON format (opentelemetry-proto, ExportTraceServiceRequest). */
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

function spansOf({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const instance = String(attributesOf(resource.attributes)['service.instance.id']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        kind: span.kind,
        instance,
        status: span.status?.code ?? 0,
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        attributes: attributesOf(span.attributes),
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
      })),
    );
  });
}

function attributesOf(attributes: readonly OtlpAttribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? Number.NaN)]),
  );
}
