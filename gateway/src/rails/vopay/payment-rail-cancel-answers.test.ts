/** Feeds responses to a cancel that VoPay's simulator does not give. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { adyenOrder } from '../adyen/rail-under-test.ts';
import type { ProviderReply, ProviderRequest } from '../kit/provider-http.ts';
import { drawnVoPay } from './drawn-responses-under-test.ts';

const order = adyenOrder({ money: { currency: 'CAD', minor: 10_000n }, expiresAt: 900_000 });

/** Finds transaction 123, which waits for its payer, and responds to a cancel with `cancelled`. */
async function afterCancel(cancelled: object): Promise<string | undefined> {
  const exchange = async (request: ProviderRequest): Promise<ProviderReply> => {
    const { status, body } = drawnVoPay.write('requested', 'nothing', order, request);
    const reply = request.verb === 'GET' ? body : { Success: 'true', ...cancelled };
    return { kind: 'answered', status, body: Buffer.from(JSON.stringify(reply)) };
  };
  const rail = drawnVoPay.rail(exchange, { now: () => 0, sleep: async () => {} });
  return (await rail.cancel?.(order, noDeadline()))?.kind;
}

describe('VoPay’s responses to a cancel', () => {
  const answers: readonly (readonly [TransactionStatus: string, kind: string])[] = [
    ['cancelled', 'refused'],
    ['cancellation requested', 'pending'],
  ];
  for (const [TransactionStatus, kind] of answers) {
    it(`a VoPay cancellation with TransactionStatus ${TransactionStatus} has the outcome of that status`, async () => {
      assert.equal(await afterCancel({ TransactionStatus, TransactionID: '123' }), kind);
      assert.equal(await afterCancel({ TransactionStatus }), kind);
    });

    it(`a VoPay cancellation has an unknown outcome if the status ${TransactionStatus} belongs to another transaction`, async () => {
      assert.equal(await afterCancel({ TransactionStatus, TransactionID: '124' }), 'unknown');
    });
  }
});
