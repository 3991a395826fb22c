/** The money that lies with a provider in advance, out of which it pays: without it payouts wait. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';

/** A rail that can be asked what it still has of ours. */
export interface FloatReader {
  readonly rail: string;
  /** What can be paid out now, by currency; or why that could not be learnt. Never throws. */
  read(deadline: Deadline): Promise<Result<readonly Money[], string>>;
}
