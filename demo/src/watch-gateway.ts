/** The lines that the demo prints while it runs, and what it counts meanwhile: one per request, transfer and callback. */
import type { GatewayOptions } from '../../gateway/src/main/compose.ts';
import { decimal } from './check-ledger.ts';
import type { Delivery } from './inbox.ts';
import type { Fields } from './merchant-signatures.ts';
import { screen } from './screen.ts';

export interface GatewayWatch {
  readonly hooks: NonNullable<GatewayOptions['watch']>;
  readonly onDelivery: (delivery: Delivery) => void;
  /** How often payments other than `ownIds` moved money. */
  readonly othersMoved: () => number;
  /** The payouts' ids, and the CLABEs of deposits. */
  readonly ownIds: Set<string>;
  /** From here on lines are printed; during the walk they would stand between its steps. */
  goLive(): void;
}

export function watchGateway(demoMerchant: () => string | undefined): GatewayWatch {
  let live = false;
  let moved = 0;
  const ownIds = new Set<string>();
  const count = (id: string) => {
    if (!ownIds.has(id)) moved++;
  };
  const print = (...event: Parameters<typeof screen.event>) => {
    if (live) screen.event(...event);
  };
  const printRefusal = (merchantId: string, refusal: { readonly kind: string; readonly field?: string }) => {
    const field = refusal.field === undefined ? '' : ` ${refusal.field}`;
    print('✗', `refused: ${refusal.kind.replaceAll('_', ' ')}${field} (${merchantId})`);
  };
  return {
    ownIds,
    othersMoved: () => moved,
    goLive() {
      live = true;
    },
    hooks: {
      onAnswered: ({ method, path, status, elapsedMs }) =>
        print('→', `${method} ${path} ${status} in ${Math.round(elapsedMs)} ms`),
      onPayoutAccepted: ({ payoutId }) => count(payoutId),
      onPayoutRefused: printRefusal,
      onDepositRefused: printRefusal,
      onTransferReceived({ payTo, money }, outcome) {
        if (outcome.kind === 'known') return;
        count(payTo);
        const { state, mismatch } = outcome.plan.transfer;
        const why = mismatch === null ? '' : `, ${mismatch}`;
        print(
          '·',
          `transfer to ${payTo}: ${decimal(money.minor)} ${money.currency} ${state.replaceAll('_', ' ')}${why}`,
        );
      },
      onSettled: ({ payoutId }) => count(payoutId),
      onCallbackEvent(event) {
        // The inbox tells of its own, with what they say.
        if (event.kind !== 'attempted' || event.merchantId === demoMerchant()) return;
        const { merchantId, callbackId, outcome } = event;
        print(
          outcome === 'accepted' ? '←' : '✗',
          `callback ${callbackId} to ${merchantId}: ${outcome.replaceAll('_', ' ')}`,
        );
      },
      onProblem: (problem) => print('✗', `${problem}: see the log`),
    },
    onDelivery({ fields, bad }) {
      const verdict = bad.length === 0 ? 'signatures ✓' : `does not verify: ${bad.join(', ')}`;
      print(bad.length === 0 ? '←' : '✗', `callback ${describeCallback(fields)}, ${verdict}`);
    },
  };
}

function describeCallback(fields: Fields): string {
  const { payout_id: payoutId, status, code, description, amount, currency } = fields;
  return 'co_inv_id' in fields
    ? `${fields['co_order_no']}: ${fields['co_amount']} ${fields['co_cur']} ${fields['co_inv_st']}`
    : `${payoutId}: ${amount} ${currency} ${status} (${code} ${description})`;
}
