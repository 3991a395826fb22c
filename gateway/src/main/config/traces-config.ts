/** The variables of OpenTelemetry traces, by the names that its specification gives them. */
import { isLoopbackAddress } from '../../foundation/networks.ts';
import { Secret } from '../../foundation/secret.ts';
import { httpUrl, type Rule, type Variables } from '../../foundation/variables.ts';

export interface TracesConfig {
  /** A URL without a trailing slash. */
  readonly endpoint: string;
  readonly headers: readonly (readonly [string, Secret])[];
  /** A fraction from 0 to 1. */
  readonly share: number;
}

export const TRACES_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...httpUrl,
    default: null,
    meaning:
      'The OpenTelemetry collector that receives traces by OTLP over HTTP, at /v1/traces under this URL. If unset, the gateway does not export traces.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    read: readHeaders,
    accepts: 'name=value pairs separated by commas',
    default: null,
    meaning: 'The headers of each request to OTEL_EXPORTER_OTLP_ENDPOINT, such as its credential.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    read: (text: string) => (/^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : undefined),
    accepts: 'a number from 0 to 1',
    default: '1',
    meaning: 'The share of payments that are traced. A payment is traced by all processes or by none.',
  },
} as const satisfies Variables;

interface TracesValues {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_HEADERS: TracesConfig['headers'] | null;
  readonly OTEL_TRACES_SAMPLER_ARG: number | null;
}

/** A collector on the same machine needs no encryption. */
export const TRACES_RULES: readonly Rule<TracesValues>[] = [
  ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { environment }) =>
    environment === 'production' && endpoint?.startsWith('http:') && !isLoopbackAddress(new URL(endpoint).hostname)
      ? 'OTEL_EXPORTER_OTLP_ENDPOINT must be an https:// URL in production, or a URL on this machine'
      : undefined,
];

/** Returns null if the gateway exports no traces. */
export function tracesOf(values: TracesValues): TracesConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  return endpoint === null ? null : { endpoint, headers: headers ?? [], share: values.OTEL_TRACES_SAMPLER_ARG ?? 1 };
}

function readHeaders(text: string): TracesConfig['headers'] | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([!#$%&'*+.^`|~\w-]+)\s*=\s*(\S(?:.*\S)?)\s*$/.exec(pair));
  const headers = pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', new Secret(pair[2] ?? '')] as const] : []));
  return headers.length === pairs.length ? headers : undefined;
}
