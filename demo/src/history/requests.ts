/** Requests to the public listener of the history's gateway. */

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
}

export type SendRequest = (path: string, options?: RequestInit) => Promise<Answered>;
