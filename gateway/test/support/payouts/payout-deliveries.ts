/** A payout delivery for stored payouts of merchant `m`, on the test's clock. */

import type { PayoutRail } from '../../../src/domain/payouts/payout-rail.ts';
import { settlePayout } from '../../../src/domain/payouts/settle-payout.ts';
import type { Pause } from '../../../src/domain/routing/pause-store.ts';
import { createPauseView } from '../../../src/domain/routing/pauses.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { createPayoutJobStore } from '../../../src/storage/payouts/payout-job-store.ts';
import { createPayoutDelivery, type PayoutDeliveryParts } from '../../../src/worker/payouts/payout-delivery.ts';
import { NO_KEYS } from '../merchants/merchant-keys.ts';
import { merchantNamed } from '../merchants/merchant-named.ts';
import { PLAIN_VAULT } from '../secrets/plain-vault.ts';
import { REFERENCE_KEY } from '../tools/reference-key.ts';
import { NOWHERE_ELSE } from './scripted-rail.ts';
import { type PayoutBench, plainCallbacks } from './stored-payouts.ts';

/** `change` adds rails for a payout. `problems` contains the reported problems. */
export function deliverStored(
  { store, clock, database }: PayoutBench,
  rails: readonly PayoutRail[],
  pauses: readonly Pause[],
  change: Partial<PayoutDeliveryParts> = {},
) {
  const merchant = merchantNamed('m');
  const problems: string[] = [];
  const delivery = createPayoutDelivery({
    rails,
    jobs: createPayoutJobStore(database, { ...clock, sleep: () => new Promise(setImmediate) }, REFERENCE_KEY),
    settle: withParts(settlePayout, {
      store,
      merchants: { find: async () => ({ merchant, keys: NO_KEYS }) },
      compose: plainCallbacks,
      onSettled: () => {},
    }),
    vault: PLAIN_VAULT,
    merchant: async () => merchant,
    pauses: createPauseView(pauses),
    ...NOWHERE_ELSE,
    clock,
    clockIsRight: async () => true,
    onRailCall: () => {},
    onBreaker: () => {},
    onSealBroken: ({ merchantId, payoutId }, why) => problems.push(`${merchantId}/${payoutId} ${why}`),
    onProblem: (problem, error) => problems.push(`${problem} ${error}`),
    ...change,
  });
  return { delivery, problems };
}
