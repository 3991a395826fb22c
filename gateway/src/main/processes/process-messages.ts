/** What a supervisor and its processes say to each other. Plain data: two versions of the code may meet here, as JSON. */

export type Order =
  /** `replaced`: another process is in this one's place already, and the machine as a whole goes on. */
  | { readonly kind: 'stop'; readonly replaced: boolean }
  | { readonly kind: 'ask'; readonly question: number; readonly about: Subject };

export type Report =
  /** `url`: where merchants are served; null for a worker. */
  | { readonly kind: 'serving'; readonly url: string | null }
  | { readonly kind: 'answer'; readonly question: number; readonly text: string };

/** `metrics` in Prometheus's text format; `readiness` as one word of `Readiness`. */
export type Subject = 'metrics' | 'readiness';
