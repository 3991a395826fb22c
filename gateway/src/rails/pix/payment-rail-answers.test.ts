/** Feeds responses to the rail that the bank's simulator does not give. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { adyenOrder } from '../adyen/rail-under-test.ts';
import type { ProviderReply } from '../kit/provider-http.ts';
import { drawnPix } from './drawn-responses-under-test.ts';

const answered = (status: number, body: object): ProviderReply => ({
  kind: 'answered',
  status,
  body: Buffer.from(JSON.stringify(body)),
});
const NOT_FOUND = answered(404, { type: 'CobNaoEncontrado' });

/** Rejects every write with this status, and does not find anything. */
function railRefusing(status: number) {
  const exchange = async ({ verb }: { readonly verb: string }) => (verb === 'GET' ? NOT_FOUND : answered(status, {}));
  return drawnPix.rail(exchange, { now: () => 0, sleep: async () => {} });
}

const order = (change: Partial<PaymentOrder> = {}) =>
  adyenOrder({ money: { currency: 'BRL', minor: 10_050n }, expiresAt: 900_000, ...change });

describe('rejected Pix charges that the bank does not find', () => {
  it('a Pix charge that the bank definitely rejects and does not find is not accepted', async () => {
    for (const status of [400, 403, 422])
      assert.equal(
        (await railRefusing(status).start(order(), null, noDeadline())).kind,
        'not_accepted',
        String(status),
      );
  });

  it('a Pix charge has an unknown outcome after a 408, 409, 425 or 429, because the bank may still process it', async () => {
    for (const status of [408, 409, 425, 429])
      assert.equal((await railRefusing(status).start(order(), null, noDeadline())).kind, 'unknown', String(status));
  });
});

describe('rejected Pix refunds that the bank does not find', () => {
  it('a Pix refund has an unknown outcome after a 408, 409, 425 or 429, because the bank may still process it', async () => {
    const payment = order({ providerReference: 'E12345678202611201200abcdefghijk' });
    const refund = { payment, reference: '9-AbCd1234', money: payment.money, startedAt: 0 };
    assert.equal((await railRefusing(422).refund?.(refund, noDeadline()))?.kind, 'refused');
    for (const status of [408, 409, 425, 429])
      assert.equal((await railRefusing(status).refund?.(refund, noDeadline()))?.kind, 'unknown', String(status));
  });
});
