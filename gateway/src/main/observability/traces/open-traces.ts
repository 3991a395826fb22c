/**
 * Exports spans over OTLP. Only a process with traces enabled loads this module, and with it the OpenTelemetry libraries.
 * Spans contain identifiers and outcomes, but no amounts, accounts, personal data or provider messages.
 */
import { type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Instant } from '../../../foundation/clock.ts';
import type { TracesConfig } from '../../config/traces-config.ts';
import { type PaymentKey, type PaymentTrace, traceOf } from './payment-trace.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Completed work on a payment. */
export interface PaymentSpan {
  readonly payment: PaymentKey;
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  readonly from: Instant;
  readonly to: Instant;
  /** True for the span that accepted the payment: all others are its children. */
  readonly isFirst?: boolean;
  readonly isFault?: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The caller's span, from its `traceparent`. */
  readonly caller?: PaymentTrace | undefined;
}

export interface Traces {
  record(span: PaymentSpan): void;
  /** Exports the remaining spans, within the timeout of an export. */
  close(): Promise<void>;
}

interface TracesParts {
  readonly config: TracesConfig;
  readonly processName: string;
  /** Receives the number of spans that a collector did not take. */
  readonly onLost: (spans: number, error: unknown) => void;
  /** The time limit of each export with its retries. Defaults to EXPORT_TIMEOUT_MS. */
  readonly timeoutMs?: number;
}

const EXPORT_TIMEOUT_MS = 5_000;
/** Some 20 MB. The gateway drops more spans until the collector responds. */
const QUEUED_SPANS = 8_192;

export function openTraces(parts: TracesParts): Traces {
  const { config, processName, onLost, timeoutMs = EXPORT_TIMEOUT_MS } = parts;
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint}/v1/traces`,
    headers: Object.fromEntries(config.headers.map(([name, value]) => [name, value.reveal()])),
    timeoutMillis: timeoutMs,
  });
  const ids = new GivenIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'payment-gateway', 'service.instance.id': processName }),
    // By trace id, so that every process makes the same choice about a payment.
    sampler: new TraceIdRatioBasedSampler(config.share),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, onLost),
        maxQueueSize: QUEUED_SPANS,
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: timeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('payment-gateway');
  return {
    record({ payment, name, kind, from, to, attributes, caller, isFirst = false, isFault = false }) {
      const first = traceOf(payment);
      const links: Link[] = caller ? [{ context: { ...caller, traceFlags: TraceFlags.NONE } }] : [];
      const parent = { ...first, traceFlags: TraceFlags.SAMPLED, isRemote: true };
      if (isFirst) ids.give(first);
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], startTime: new Date(from), attributes, links },
        isFirst ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
      );
      if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(new Date(to));
    },
    // The exporter has reported the lost spans.
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** Generates random ids, but gives the next span after `give` the given ids. The SDK requests them inside `startSpan`. */
class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #given: PaymentTrace | undefined;

  give(ids: PaymentTrace): void {
    this.#given = ids;
  }

  generateSpanId(): string {
    return this.#given?.spanId ?? this.#random.generateSpanId();
  }

  /** The SDK calls this last, and only for a first span. */
  generateTraceId(): string {
    const traceId = this.#given?.traceId ?? this.#random.generateTraceId();
    this.#given = undefined;
    return traceId;
  }
}

function reporting(exporter: SpanExporter, onLost: TracesParts['onLost']): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) onLost(spans.length, result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
