/**
 * The operator: pauses payouts and resumes them, and cancels payouts that wait. It repeats a command that failed. A payout
 * that it cancelled must not succeed.
 */
import type { GatewayOperations } from '../../src/domain/management/gateway-operations.ts';
import type { PauseScope } from '../../src/domain/routing/pauses.ts';
import { SECOND_MS } from '../../src/foundation/clock.ts';
import type { PayoutKey } from '../../src/foundation/identifiers.ts';
import type { World } from '../world.ts';

export interface SimulatedOperator {
  pause(scope: PauseScope, target: string, ms: number): void;
  cancel(key: PayoutKey): void;
  /** The payouts, as `merchant/payout_id`, of which the gateway said that they are cancelled. */
  readonly cancelled: ReadonlySet<string>;
}

export interface OperatorParts {
  readonly world: World;
  readonly operations: () => Pick<GatewayOperations, 'pauses' | 'payouts'>;
}

const AGAIN_AFTER_MS = 20 * SECOND_MS;
const REASON = 'simulated';

export function createSimulatedOperator({ world, operations }: OperatorParts): SimulatedOperator {
  const cancelled = new Set<string>();

  /** Repeats the command until the gateway answers. */
  async function untilDone(command: () => Promise<unknown>): Promise<void> {
    await command().catch(() => {
      world.after(AGAIN_AFTER_MS, () => void untilDone(command));
    });
  }

  return {
    cancelled,
    pause(scope, target, ms) {
      void operations()
        .pauses.pause(scope, target, REASON)
        .catch(() => {});
      // The pause may have taken effect although its answer was lost.
      world.after(ms, () => void untilDone(() => operations().pauses.resume(scope, target)));
    },
    cancel(key) {
      void untilDone(async () => {
        const outcome = await operations().payouts.cancel(key, REASON);
        if (outcome.ok) cancelled.add(`${key.merchantId}/${key.payoutId}`);
      });
    },
  };
}
