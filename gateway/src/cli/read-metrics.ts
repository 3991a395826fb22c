/** Reads a process's metrics page in Prometheus text format: the samples of counters and gauges. */
import { SECOND_MS } from '../foundation/clock.ts';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const ANSWERS_WITHIN_MS = 5 * SECOND_MS;
const SAMPLE = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const entries = [...labels.matchAll(LABEL)].map(([, label = '', content = '']) => [label, content]);
    return [{ name, labels: Object.fromEntries(entries), value: Number(value) }];
  });
}

/** Rejects if the page cannot be read. */
export async function fetchMetrics(url: URL): Promise<Sample[]> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return parseMetrics(text);
}

/** Adds up the samples of all processes by the value of one label. */
export function sumBy(samples: readonly Sample[], name: string, label: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const sample of samples) {
    if (sample.name !== name) continue;
    const key = sample.labels[label] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + sample.value);
  }
  return sums;
}

export function sumOf(samples: readonly Sample[], name: string): number {
  return samples.filter((sample) => sample.name === name).reduce((sum, { value }) => sum + value, 0);
}
