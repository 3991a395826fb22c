/**
 * The lines that the demo prints while it runs, one per request, payment and callback, and the number of payments that moved
 * money.
 */
import type { GatewayOptions } from '../../gateway/src/main/compose/compose.ts';
import { decimal } from './check-ledger.ts';
import type { Delivery } from './delivery.ts';
import type { Fields } from './merchant-signatures.ts';
import { screen } from './screen.ts';

interface GatewayWatch {
  readonly hooks: NonNullable<GatewayOptions['watch']>;
  readonly onDelivery: (delivery: Delivery) => void;
  /** Returns the number of payments outside `ownIds` that moved money. */
  readonly othersMoved: () => number;
  /** The ids of payouts and the CLABEs of deposits that the walk creates. */
  readonly ownIds: Set<string>;
  /** Prints lines from now on. During the walk they would appear between its steps. */
  goLive(): void;
}

/** Routes that a payer's browser requests automatically: their lines would hide the others. */
const BY_ITSELF = /^\/payment\/form\/(?:assets\/|:token\/(?:events|version)$)/;

const PAYMENT_STATES = {
  starting: 'begins',
  acting: 'waits for the payer',
  deciding: 'waits for the bank',
  unknown: 'outcome unknown; the gateway queries the bank',
  paid: 'paid',
  refused: 'refused',
  abandoned: 'abandoned',
} as const;

export function watchGateway(demoMerchant: () => string | undefined): GatewayWatch {
  let live = false;
  let moved = 0;
  let lastPayment = '';
  const ownIds = new Set<string>();
  const count = (id: string) => {
    if (!ownIds.has(id)) moved++;
  };
  const print = (...event: Parameters<typeof screen.event>) => {
    if (live) screen.event(...event);
  };
  const printRefusal = (merchantId: string, refusal: { readonly kind: string; readonly field?: string }) => {
    const field = refusal.field === undefined ? '' : ` ${refusal.field}`;
    print('✗', `rejected: ${refusal.kind.replaceAll('_', ' ')}${field} (${merchantId})`);
  };
  return {
    ownIds,
    othersMoved: () => moved,
    goLive() {
      live = true;
    },
    hooks: {
      onAnswered({ method, path, route, status, elapsedMs }) {
        if (BY_ITSELF.test(route)) return;
        // Hide the path of a payer's page: anyone who has it can pay in the payer's place.
        const shown = route.includes(':token') ? route : path;
        print('→', `${method} ${shown} ${status} in ${Math.round(elapsedMs)} ms`);
      },
      onPayoutAccepted: ({ payoutId }) => count(payoutId),
      onPayoutRejected: printRefusal,
      onDepositRejected: printRefusal,
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
      onAttemptChanged({ transactionId, attempt }, outcome) {
        if (outcome.kind !== 'settled') return;
        const { change, receipt } = outcome.plan;
        if (receipt) moved++;
        const line = `payment ${transactionId}, attempt ${attempt}: ${PAYMENT_STATES[change.state]}`;
        // A provider may repeat a report.
        if (line !== lastPayment) print('·', line);
        lastPayment = line;
      },
      onLater({ transactionId, kind }, outcome) {
        moved++;
        print('·', `payment ${transactionId}, adjustment: ${kind.replaceAll('_', ' ')} ${outcome}`);
      },
      onCallbackEvent(event) {
        // The inbox prints its own callbacks with their content.
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
      const verdict = bad.length === 0 ? 'signatures ✓' : `invalid: ${bad.join(', ')}`;
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
