/** The rail of one process over a simulated provider of form payments. Its calls have network delays and faults. */
import type {
  NoEffect,
  PaymentAnswer,
  PaymentRail,
  PaymentStatus,
  RefundAnswer,
  RefundOrder,
} from '../../src/domain/payments/payment-rail.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import type { Deadline } from '../../src/foundation/deadline.ts';
import { CLOCK_TOLERANCE_MS } from '../../src/worker/clock-guard.ts';
import type { Life } from '../world/life.ts';
import type { Network } from '../world/network.ts';
import type { World } from '../world/world.ts';
import { answerOf, type PaymentProvider, refundAnswerOf } from './payment-provider.ts';

interface RailParts {
  readonly world: World;
  readonly network: Network;
  readonly life: Life;
}

/** The latest time at which the provider executes a request that got no response. */
const LATEST_MS = 10 * MINUTE_MS;
/**
 * The time for a commit, which the deadline of an attempt's first call includes (domain/payments/attempts/start-attempt.ts).
 */
const COMMIT_GRACE_MS = 2 * SECOND_MS;
const TIMED_OUT = { kind: 'unknown', reason: 'it did not respond in time' } as const;
const ERROR_500 = { kind: 'unknown', reason: 'HTTP 500' } as const;
const REJECTED = { kind: 'not_accepted', reason: 'rejected' } as const;
const NOT_CONNECTED = { kind: 'not_accepted', reason: 'connection refused' } as const;
const NO_EFFECT = { kind: 'no_effect', reason: 'connection refused' } as const;

export function railOver(
  provider: PaymentProvider,
  rail: PaymentRail,
  { world, network, life }: RailParts,
): PaymentRail {
  const { timeoutMs, notFoundProofMs } = rail;
  const drawn = world.drawn.apart(`calls of ${provider.name}`);
  const latest = (startedAt: Instant) => startedAt + COMMIT_GRACE_MS + timeoutMs + notFoundProofMs - 1;

  /** The provider acts when the request arrives. `refusal` is returned if the connection fails. */
  function call<Answer>(
    deadline: Deadline,
    refusal: Answer,
    arrive: () => Answer,
    latestAt = Number.POSITIVE_INFINITY,
  ): Promise<Answer | typeof TIMED_OUT> {
    const called = new Promise<Answer | typeof TIMED_OUT>((resolve) => {
      // The gateway's own timeout is a sleeper, so the world must not jump over it.
      const stopWaiting = world.after(timeoutMs, () => {});
      const answer = (value: Answer | typeof TIMED_OUT) => {
        stopWaiting();
        resolve(value);
      };
      deadline.signal.addEventListener('abort', () => answer(TIMED_OUT), { once: true });
      // Like every connector: a process that resumes after the deadline records nothing (rails/kit/provider-http.ts).
      if (deadline.isPast()) return answer(TIMED_OUT);
      const fate = network.fate();
      if (fate === 'refused') return answer(refusal);
      if (fate === 'lost') return;
      const latestMs = Math.max(0, Math.min(latestAt - world.now(), LATEST_MS));
      const isLate = fate === 'unanswered' && drawn.chance(0.3);
      world.after(isLate ? drawn.between(0, latestMs) : Math.min(network.delayMs(), latestMs), () => {
        const value = arrive();
        if (fate === 'unanswered') return;
        world.after(network.delayMs(), () => answer(fate === 'broken' ? (ERROR_500 as Answer) : value));
      });
    });
    return life.whileAlive(called);
  }

  const refund = (order: RefundOrder, deadline: Deadline) =>
    call<RefundAnswer>(
      deadline,
      NOT_CONNECTED,
      () => {
        const accepted = provider.acceptRefund(order);
        return accepted ? refundAnswerOf(accepted) : REJECTED;
      },
      latest(order.startedAt),
    );

  return {
    ...rail,
    start(order, _card, deadline) {
      const lateMs = world.now() - order.startedAt - COMMIT_GRACE_MS;
      if (lateMs > CLOCK_TOLERANCE_MS)
        provider.violated(`${life.name} started ${order.reference} ${lateMs} ms after the deadline of its attempt`);
      return call<PaymentAnswer>(
        deadline,
        NOT_CONNECTED,
        () => {
          const accepted = provider.accept(order);
          return accepted ? answerOf(accepted) : REJECTED;
        },
        latest(order.startedAt),
      );
    },
    handleReturn: (order, _returned, deadline) =>
      call<PaymentAnswer | NoEffect>(deadline, NO_EFFECT, () => provider.returned(order)),
    ask: (order, deadline) => call<PaymentStatus>(deadline, ERROR_500, () => provider.statusOf(order)),
    cancel: (order, deadline) => call<PaymentStatus>(deadline, ERROR_500, () => provider.cancel(order)),
    refund,
    ...(rail.repeatRefund
      ? {
          repeatRefund: (order, deadline) =>
            refund(order, deadline).then((answer) => (provesNothing(answer) ? ERROR_500 : answer)),
        }
      : {
          askRefund: (order, deadline) =>
            call<ReturnType<typeof provider.refundStatus>>(deadline, ERROR_500, () => provider.refundStatus(order)),
        }),
  };
}

/** True because an earlier order of the same refund may have reached the provider. */
function provesNothing({ kind }: RefundAnswer): boolean {
  return kind === 'refused' || kind === 'not_accepted';
}
