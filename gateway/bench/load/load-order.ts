/** What a load is told to do. It crosses a process boundary, so it is data alone. */

export type SubjectName = 'payout' | 'deposit' | 'abono' | 'callback';

export interface LoadOrder {
  readonly subject: SubjectName;
  readonly url: string;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests a second; undefined: closed loop. */
  readonly rate?: number;
  /** Numbers of requests are never used twice in a run; the first of this load's. */
  readonly firstIndex: number;
  /** Over how many merchants the requests go, in turn. */
  readonly merchants: number;
  /** So many requests are made before the load begins, and the rest while it lasts. */
  readonly prepare: number;
  /** Of abonos: what each pays. The load ends with them. */
  readonly clabes?: readonly string[];
  /** True: when each good answer's request was due and answered comes back too. */
  readonly wantsTimes?: boolean;
}

/** Of each good answer, in the order of their coming, by `monotonicMs`. */
export interface Times {
  /** The request's number. */
  readonly index: Float64Array;
  readonly dueAt: Float64Array;
  readonly answeredAt: Float64Array;
}
