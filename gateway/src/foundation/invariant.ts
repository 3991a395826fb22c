/** The third kind of failure: a bug. What throws here is never caught to go on, only to answer with nothing. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

/** Throws InvariantViolation when `condition` does not hold. `message` must hold no secret: it reaches the log. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}

/** Closes a switch over a union: a new member is then a type error, and at run time a bug. */
export function unreachable(value: never): never {
  throw new InvariantViolation(`unreachable case: ${String(value)}`);
}
