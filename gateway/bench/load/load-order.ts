/** The instructions for a load. They are plain data, because they cross a process boundary. */

export type SubjectName = 'payout' | 'deposit' | 'abono' | 'callback';

export interface LoadOrder {
  readonly subject: SubjectName;
  readonly url: string;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests per second. If undefined, the load is a closed loop. */
  readonly rate?: number;
  /** The number of this load's first request. A run uses each number once. */
  readonly firstIndex: number;
  /** The number of merchants. Requests are distributed to them in turn. */
  readonly merchants: number;
  /** The number of requests to build before the load begins. Further requests are built while it runs. */
  readonly prepare: number;
  /** For abonos: the CLABEs to pay, each of them once. The load ends after the last CLABE. */
  readonly clabes?: readonly string[];
  /** If true, the outcome also contains the due time and the response time of each good response. */
  readonly wantsTimes?: boolean;
}

/** The times of each good response in order of arrival, measured by `monotonicMs`. */
export interface Times {
  /** The request's number. */
  readonly index: Float64Array;
  readonly dueAt: Float64Array;
  readonly answeredAt: Float64Array;
}
