/** The lines that the demo prints while it runs, and what it counts meanwhile: one per request and per callback. */
import type { GatewayOptions } from '../../gateway/src/main/compose.ts';
import type { Delivery } from './inbox.ts';
import { screen } from './screen.ts';

export interface GatewayWatch {
  readonly hooks: NonNullable<GatewayOptions['watch']>;
  readonly onDelivery: (delivery: Delivery) => void;
  /** How often payouts other than `ownIds` moved money. */
  readonly othersMoved: () => number;
  readonly ownIds: Set<string>;
  /** From here on lines are printed; during the walk they would stand between its steps. */
  goLive(): void;
}

export function watchGateway(demoMerchant: () => string | undefined): GatewayWatch {
  let live = false;
  let moved = 0;
  const ownIds = new Set<string>();
  const count = (payoutId: string) => {
    if (!ownIds.has(payoutId)) moved++;
  };
  const print = (...event: Parameters<typeof screen.event>) => {
    if (live) screen.event(...event);
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
      onPayoutRefused: (merchantId, refusal) => {
        const field = refusal.kind === 'invalid_field' ? ` ${refusal.field}` : '';
        print('✗', `refused: ${refusal.kind.replaceAll('_', ' ')}${field} (${merchantId})`);
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
      const { payout_id: payoutId, status, code, description, amount, currency } = fields;
      const verdict = bad.length === 0 ? 'signatures ✓' : `does not verify: ${bad.join(', ')}`;
      const text = `callback ${payoutId}: ${amount} ${currency} ${status} (${code} ${description}), ${verdict}`;
      print(bad.length === 0 ? '←' : '✗', text);
    },
  };
}
