/** Payouts that people and programs create without a signature. They take the acceptance path of payout_send. */
import { type AcceptPayoutParts, createAcceptPayout } from '../../../domain/payouts/accept-payout.ts';
import { createNewPayouts, type NewPayouts } from '../../../domain/payouts/create-payout.ts';
import { readRequestedPayout } from '../../../protocol/payout/read-requested-payout.ts';
import type { Hooks } from '../../observability/hooks.ts';
import type { GatewayCore } from '../open-core.ts';

export function newPayoutsOf(core: GatewayCore, hooks: Pick<Hooks, 'onPayoutAccepted'>): NewPayouts {
  const { payouts, clock, directory, ledger, records } = core;
  const judging = judgingOf(core, hooks, () => {});
  return createNewPayouts({
    merchants: directory,
    ledger,
    clock,
    records,
    judging,
    earlier: payouts,
    read: readRequestedPayout,
    acceptPayout: createAcceptPayout(judging),
  });
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
