/** The messages between a supervisor and its processes: plain data, because two versions may exchange them as JSON. */

export type Order =
  /** `replaced` means that another process already serves in its place, and the machine keeps serving. */
  | { readonly kind: 'stop'; readonly replaced: boolean }
  | { readonly kind: 'ask'; readonly question: number; readonly about: Subject };

export type Report =
  /** `url` is the URL for merchants, or null for a worker. */
  | { readonly kind: 'serving'; readonly url: string | null }
  | { readonly kind: 'answer'; readonly question: number; readonly text: string };

/** `metrics` in Prometheus's text format; `readiness` as one word of `Readiness`. */
export type Subject = 'metrics' | 'readiness';
