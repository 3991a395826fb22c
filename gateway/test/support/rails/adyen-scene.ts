/** Adyen's rail and simulator together: an attempt at each of its steps, and Adyen's book. */
import assert from 'node:assert/strict';
import type {
  NoEffect,
  PayerReturn,
  PaymentAnswer,
  PaymentOrder,
  PaymentRail,
  PaymentStatus,
} from '../../../src/domain/payments/payment-rail.ts';
import {
  type AdyenConnection,
  adyenOrder,
  connectToAdyen,
  paymentCard,
} from '../../../src/rails/adyen/rail-under-test.ts';
import { noDeadline } from '../tools/deadlines.ts';
import { type AdyenUnderControl, startAdyenUnderControl } from './adyen-under-control.ts';

export type Step = Extract<PaymentAnswer, { kind: 'step' }>;
type Answer = PaymentAnswer | PaymentStatus | NoEffect | undefined;

interface AdyenScene {
  readonly adyen: AdyenUnderControl;
  readonly connection: AdyenConnection;
  readonly rail: PaymentRail;
  start(order: PaymentOrder, number: string, deadline?: ReturnType<typeof noDeadline>): Promise<PaymentAnswer>;
  handleReturn(order: PaymentOrder, returned: PayerReturn): Promise<PaymentAnswer | NoEffect>;
  /** Creates a payment whose payer gets a challenge. */
  challenged(number?: string): Promise<{ readonly step: Step['step']; readonly order: PaymentOrder }>;
  /** Asserts that Adyen's book contains exactly one authorised payment, with this reference. */
  assertChargedOnce(reference: string): Promise<void>;
  assertNothingCharged(): Promise<void>;
  close(): Promise<void>;
}

export async function openAdyenScene(): Promise<AdyenScene> {
  const adyen = await startAdyenUnderControl();
  const connection = connectToAdyen(adyen.url);
  const { rail } = connection;
  return {
    adyen,
    connection,
    rail,
    start: (order, number, deadline = noDeadline()) => rail.start(order, paymentCard(number), deadline),
    handleReturn: (order, returned) => rail.handleReturn(order, returned, noDeadline()),
    async challenged(number = '5454545454545454') {
      const order = adyenOrder();
      const answer = stepOf(await rail.start(order, paymentCard(number), noDeadline()));
      return { step: answer.step, order: kept(order, answer) };
    },
    async assertChargedOnce(reference) {
      const { authorised, references_authorised_over_one } = await adyen.summary();
      assert.deepEqual([authorised, references_authorised_over_one], [1, []]);
      assert.ok((await adyen.story(reference)).includes('authorised'));
    },
    assertNothingCharged: async () => assert.equal((await adyen.summary())['authorised'], 0),
    async close() {
      await connection.close();
      await adyen.close();
    },
  };
}

/** Returns the order as the gateway stores it after that response. */
export function kept(order: PaymentOrder, { keep, providerReference }: Step): PaymentOrder {
  return { ...order, kept: keep, providerReference };
}

const shown = (answer: Answer) =>
  JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value));

export function stepOf(answer: Answer): Step {
  assert.ok(answer?.kind === 'step', shown(answer));
  return answer;
}

/** Asserts a payment of the amount in `adyenOrder`. */
export function assertPaid(answer: Answer): void {
  assert.ok(answer?.kind === 'paid', shown(answer));
  assert.deepEqual(answer.money, { currency: 'EUR', minor: 1_050n });
}

export function assertRefused(answer: Answer, refusal: string): void {
  assert.ok(answer?.kind === 'refused', shown(answer));
  assert.equal(answer.refusal, refusal);
}
