/** An expected outcome as a value, for commands whose contract includes failures. A bug throws instead. */
export type Result<Value, Failure> = Ok<Value> | Fail<Failure>;

export interface Ok<Value> {
  readonly ok: true;
  readonly value: Value;
}

export interface Fail<Failure> {
  readonly ok: false;
  readonly error: Failure;
}

export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value };
}

export function fail<Failure>(error: Failure): Fail<Failure> {
  return { ok: false, error };
}
