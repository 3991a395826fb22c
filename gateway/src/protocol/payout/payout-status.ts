/** POST /merchant/api/payout_status: the state of one payout (decision 25). */

import type { IsListed } from '../../domain/payouts/forgotten-payouts.ts';
import type { PayoutStore } from '../../domain/payouts/payout-store.ts';
import { isRecovering } from '../../domain/recovery/recovery.ts';
import { NotKnownYet } from '../../foundation/commit-errors.ts';
import { isIdOfOne } from '../../foundation/identifiers.ts';
import { fail, ok } from '../../foundation/result.ts';
import { signedSet } from '../signatures/merchant-signature.ts';
import { coverFields } from './authenticate-request.ts';
import type { PayoutEndpoint, ReadRecovery } from './payout-endpoint.ts';
import { payoutReply } from './payout-reply.ts';

export const STATUS_SIGNED = signedSet(['merchant', 'payout_id'], { isClosed: true });

interface PayoutStatusParts {
  readonly payouts: Pick<PayoutStore, 'find'>;
  readonly recovery: ReadRecovery;
  readonly isListed: IsListed;
}

export function createPayoutStatus({ payouts, recovery, isListed }: PayoutStatusParts): PayoutEndpoint {
  return {
    name: 'payout_status',
    path: '/merchant/api/payout_status',
    rateSetting: 'status_rate_limit',
    cover: (body) => coverFields(body, STATUS_SIGNED),
    async answer({ merchant, body }) {
      const payoutId = body.get('payout_id');
      if (typeof payoutId !== 'string' || !isIdOfOne(payoutId)) {
        return fail({ kind: 'invalid_field', field: 'payout_id' });
      }
      const key = { merchantId: merchant.merchantId, payoutId };
      const payout = await payouts.find(key);
      if (payout) return ok({ kind: 'signed', fields: payoutReply(payout) });
      // The gateway may have accepted this payout in the lost period, and its bank may have paid it.
      if (isRecovering(await recovery()) || (await isListed(key)))
        throw new NotKnownYet('a payout that the gateway may have forgotten');
      return fail({ kind: 'payout_not_found' });
    },
  };
}
