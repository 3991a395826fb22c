/** The gateway's own metrics, as /metrics describes them. Metrics of the process and of Node come from the client library. */
import { createMetrics } from '../../src/main/observability/metrics.ts';

export interface Metric {
  readonly name: string;
  readonly meaning: string;
  readonly type: string;
}

const metrics = createMetrics();
metrics.watchRails(() => new Map());
const text = await metrics.text();

export const METRICS: readonly Metric[] = [...text.matchAll(/^# HELP (gateway_\w+) (.+)\n# TYPE \S+ (\w+)$/gm)].map(
  ([, name = '', meaning = '', type = '']) => ({ name, meaning, type }),
);
