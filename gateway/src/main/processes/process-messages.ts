/** What a supervisor and its processes say to each other. Plain data: it travels as JSON between two versions of the code. */
import type { Readiness } from '../observability/health.ts';

export type Order =
  /** `replaced`: another process is in this one's place already, and the machine as a whole goes on. */
  | { readonly kind: 'stop'; readonly replaced: boolean }
  | { readonly kind: 'ask'; readonly question: number; readonly about: Subject };

export type Report =
  /** `url`: where merchants are served; null for a worker. */
  | { readonly kind: 'serving'; readonly url: string | null }
  | { readonly kind: 'answer'; readonly question: number; readonly text: string };

/** `metrics` in Prometheus's text format; `readiness` as one word of that type. */
export type Subject = 'metrics' | 'readiness';

export const isReadiness = (text: string): text is Readiness => Object.hasOwn(READINESS, text);

const READINESS: Readonly<Record<Readiness, true>> = {
  ready: true,
  starting: true,
  draining: true,
  'database unreachable': true,
  'migrations missing': true,
  'version too old': true,
};
