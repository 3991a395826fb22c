/** The third kind of failure: a bug. A handler may only return a neutral error; it must not continue. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

/** Throws InvariantViolation if `condition` does not hold. `message` must contain no secret, because it is logged. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}

/** Makes a switch over a union exhaustive. A new member is a type error, and a bug at run time. */
export function unreachable(value: never): never {
  throw new InvariantViolation(`unreachable case: ${String(value)}`);
}
