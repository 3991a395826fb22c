/** One call to a rail of the form, with its timeout and its metrics. */
import type { Clock } from '../../foundation/clock.ts';
import { type Deadline, withDeadline } from '../../foundation/deadline.ts';
import type { PaymentRail } from './payment-rail.ts';

export interface CallParts {
  readonly clock: Clock;
  readonly onRailCall: (rail: string, call: string, answer: string, latencyMs: number) => void;
}

export async function callRail<Answer extends { readonly kind: string }>(
  { clock, onRailCall }: CallParts,
  rail: PaymentRail,
  name: 'start' | 'go_on' | 'ask' | 'cancel',
  work: (deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  const startedAt = clock.now();
  const answer = await withDeadline(clock, rail.timeoutMs, work);
  onRailCall(rail.name, name, answer.kind, clock.now() - startedAt);
  return answer;
}
