/** The port of a rail whose provider must be configured before it can serve us, such as with our callback URL. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { Result } from '../../foundation/result.ts';

export interface RailPreparation {
  /** The rail's name. */
  readonly name: string;
  /** Safe to repeat: it has no effect if the provider is already configured. Never throws. The failure is for an operator. */
  prepare(deadline: Deadline): Promise<Result<void, string>>;
}
