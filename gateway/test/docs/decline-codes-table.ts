/** By which of our codes each provider's reasons to decline end a payout, out of the tables that the rails go by. */
import type { BlockedCode } from '../../src/domain/payouts/payout.ts';
import { DECLINE_CODES as ADYEN } from '../../src/rails/adyen-transfers/vocabulary.ts';
import { DECLINE_CODES as DT_ONE } from '../../src/rails/dt-one/vocabulary.ts';
import { REASONS as EPOINT } from '../../src/rails/epoint/vocabulary.ts';
import { ERRORS as FREEDOM_PAY } from '../../src/rails/freedom-pay/vocabulary.ts';
import { DECLINE_CODES as MASTERCARD } from '../../src/rails/mastercard-send/network-codes.ts';
import { DECLINE_CODES as RAZORPAYX } from '../../src/rails/razorpayx/vocabulary.ts';
import { DECLINE_CODES as VISA } from '../../src/rails/visa-direct/action-codes.ts';
import { ENDINGS as VOPAY } from '../../src/rails/vopay/payout-endings.ts';
import { REASONS as WAYFORPAY } from '../../src/rails/wayforpay/vocabulary.ts';
import type { PayoutRailName } from '../support/payout-providers.ts';

type Decline = readonly [said: string, code: BlockedCode];

const DECLINES: Readonly<Record<PayoutRailName, Iterable<Decline>>> = {
  'adyen-transfers': ADYEN,
  'dt-one': DT_ONE,
  epoint: [...EPOINT].map(([said, { code }]): Decline => [said || 'no code', code]),
  'freedom-pay': [...FREEDOM_PAY].flatMap(([said, { kind, blocked }]): Decline[] =>
    kind === 'declined' ? [[said, blocked]] : [],
  ),
  'mastercard-send': MASTERCARD,
  razorpayx: RAZORPAYX,
  'visa-direct': VISA,
  vopay: [...VOPAY].map(([said, [code]]): Decline => [said, code]),
  wayforpay: [...WAYFORPAY].map(([said, { code }]): Decline => [said, code]),
};

/** A row for each rail and code of ours. */
export function declineRows(): readonly (readonly [rail: string, code: string, said: string])[] {
  return Object.entries(DECLINES).flatMap(([rail, declines]) => {
    const byCode = Map.groupBy(declines, ([, code]) => code);
    return [...byCode]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([code, of]) => [rail, code, of.map(([said]) => said).join(', ')] as const);
  });
}
