/** The card provider of the history: it accepts most cards immediately, and refunds on request. */
import type { PaymentAnswer, PaymentRail } from '../../../gateway/src/domain/payments/payment-rail.ts';
import type { Random } from '../../../gateway/src/foundation/random.ts';
import type { ChargedPayment } from '../providers/provider.ts';

export interface CardProvider {
  /** Returns the rail as the gateway sees it. */
  inPlaceOf(rail: PaymentRail): PaymentRail;
  /** The paid payments, oldest first. */
  readonly paid: readonly ChargedPayment[];
}

const REFUSED_SHARE = 0.15;

export function createCardProvider(random: Random): CardProvider {
  const paid: ChargedPayment[] = [];
  return {
    paid,
    inPlaceOf: (rail) => ({
      ...rail,
      async start({ reference, money }): Promise<PaymentAnswer> {
        const providerReference = `HISTORY${String(paid.length + 1).padStart(9, '0')}`;
        if (paid.length > 0 && random.fraction() < REFUSED_SHARE)
          return { kind: 'refused', refusal: 'insufficient_funds', canRetry: false, detail: '51', providerReference };
        paid.push({ providerReference, reference, currency: money.currency, value: Number(money.minor) });
        return { kind: 'paid', money, payerAccount: '411111******1111', providerReference };
      },
      refund: async () => ({ kind: 'refunded' }),
    }),
  };
}
