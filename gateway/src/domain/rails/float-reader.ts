/** The prefunded balance at a provider, from which it pays. Payouts queue when it runs out. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';

/** A rail that can report our prefunded balance. */
export interface FloatReader {
  readonly rail: string;
  /** Returns the spendable balance by currency, or the reason why the provider did not report it. Never throws. */
  read(deadline: Deadline): Promise<Result<readonly Money[], string>>;
}
