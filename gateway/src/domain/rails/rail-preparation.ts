/** What a provider has to know of us before it can serve us, such as where to call. A rail that needs it offers this. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { Result } from '../../foundation/result.ts';

export interface RailPreparation {
  /** The rail's name. */
  readonly name: string;
  /** Safe at any time and to repeat: it changes nothing where all is well. Never throws; the failure is for an operator. */
  prepare(deadline: Deadline): Promise<Result<void, string>>;
}
