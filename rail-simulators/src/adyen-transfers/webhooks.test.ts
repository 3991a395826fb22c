/** What Adyen tells the client of transfers, and how that goes wrong. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aWhile, eventually, type Received } from '../kernel/inbox-under-test.ts';
import { type AdyenTransfersUnderTest, hmacKey, startAdyenTransfersUnderTest } from './adyen-transfers-under-test.ts';
import { signatureOf } from './webhooks.ts';

interface Data {
  readonly status: string;
  readonly sequenceNumber: number;
  readonly amount: { readonly value: number };
}

const dataOf = ({ body }: Received) => body['data'] as Data;
const isSigned = ({ raw, headers }: Received) => headers['hmacsignature'] === signatureOf(raw, hmacKey);

async function told(adyen: AdyenTransfersUnderTest, count: number): Promise<readonly Received[]> {
  await eventually(`${count} webhooks`, () => adyen.inbox.received.length >= count);
  await aWhile();
  assert.equal(adyen.inbox.received.length, count);
  return adyen.inbox.received;
}

describe('a webhook about a transfer', () => {
  it('comes for every status, in order, signed over its bytes', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.submit();
    adyen.clock.advance(2_000);
    const received = await told(adyen, 3);
    assert.deepEqual(
      received.map(dataOf).map(({ status, sequenceNumber }) => `${sequenceNumber} ${status}`),
      ['1 received', '2 authorised', '3 booked'],
    );
    assert.deepEqual(
      received.map(({ body }) => body['type']),
      ['created', 'updated', 'updated'].map((what) => `balancePlatform.transfer.${what}`),
    );
    assert.ok(received.every(isSigned));
    assert.doesNotMatch(JSON.stringify(received), /4321123456788765/);
  });

  it('comes again until it is accepted', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.faults({ transfers: 'refuse' });
    adyen.inbox.answer = () => ({ status: 500, body: '' });
    await adyen.submit();
    await eventually('two refused', () => adyen.inbox.received.length === 2);
    await eventually('both wait', () => adyen.clock.delays().filter((ms) => ms === 500).length === 2);
    adyen.inbox.answer = () => ({ status: 202, body: '' });
    adyen.clock.advance(500);
    await told(adyen, 4);
  });

  it('can come twice, late, out of order, not at all', async (t) => {
    const modes: readonly (readonly [webhooks: string, statuses: readonly string[]])[] = [
      ['twice', ['received', 'received', 'refused', 'refused']],
      ['out_of_order', ['refused', 'received']],
      ['off', []],
    ];
    for (const [webhooks, statuses] of modes) {
      const adyen = await startAdyenTransfersUnderTest(t);
      await adyen.faults({ webhooks, transfers: 'refuse' });
      await adyen.submit();
      const received = await told(adyen, statuses.length);
      const seen = received.map((message) => dataOf(message).status);
      assert.deepEqual(webhooks === 'twice' ? seen.toSorted() : seen, statuses);
    }
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.faults({ webhooks: 'late', transfers: 'refuse' });
    await adyen.submit();
    await told(adyen, 0);
    adyen.clock.advance(10_000);
    await told(adyen, 2);
  });

  it('of the booking can come before the request is answered', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.faults({ webhooks: 'before_reply' });
    assert.equal((await adyen.submit()).body['status'], 'authorised');
    const statuses = adyen.inbox.received.map((message) => dataOf(message).status);
    assert.deepEqual(statuses, ['received', 'authorised', 'booked']);
  });

  it('can name another amount, or be somebody else’s who says the opposite', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.faults({ webhooks: 'wrong_amount', transfers: 'refuse' });
    await adyen.submit();
    const wrong = await told(adyen, 2);
    assert.ok(wrong.every((message) => isSigned(message) && dataOf(message).amount.value === 99_999_999));
    adyen.inbox.received.length = 0;
    await adyen.faults({ webhooks: 'forged' });
    await adyen.submit();
    const received = await told(adyen, 4);
    const forged = received.filter((message) => !isSigned(message)).map((message) => dataOf(message).status);
    assert.deepEqual(forged, ['booked', 'booked']);
  });
});
