/** Payouts that users and programs create without a signature. They take the acceptance path of payout_send. */

import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { type AcceptPayoutParts, acceptPayout } from '../../../domain/payouts/accept-payout.ts';
import { checkPayout, createPayout } from '../../../domain/payouts/create-payout.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import { readRequestedPayout } from '../../../protocol/payout/read-requested-payout.ts';
import type { Hooks } from '../../observability/hooks.ts';
import type { GatewayCore } from '../gateway-core.ts';

export function newPayoutsOf(
  core: GatewayCore,
  hooks: Pick<Hooks, 'onPayoutAccepted'>,
): GatewayOperations['newPayouts'] {
  const judging = judgingOf(core, hooks, () => {});
  const parts = {
    ...core,
    merchants: core.directory,
    judging,
    earlier: core.payouts,
    read: readRequestedPayout,
    acceptPayout: withParts(acceptPayout, judging),
  };
  return { create: withParts(createPayout, parts), check: withParts(checkPayout, parts) };
}

/** `wake` wakes the payout worker of this process for a rail. */
export function judgingOf(
  { payouts, vault, railChoice, clock }: GatewayCore,
  hooks: Pick<Hooks, 'onPayoutAccepted'>,
  wake: (rail: string) => void,
): AcceptPayoutParts {
  return {
    store: payouts,
    vault,
    chooseRail: railChoice.choose,
    clock,
    waitsInReply: false,
    onAccepted(payout) {
      hooks.onPayoutAccepted(payout);
      wake(payout.rail);
    },
  };
}
