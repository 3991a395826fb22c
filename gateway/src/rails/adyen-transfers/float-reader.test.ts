import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { Secret } from '../../foundation/secret.ts';
import type { ProviderReply, ProviderRequest } from '../kit/provider-http.ts';
import { createAdyenTransfersFloatReader } from './float-reader.ts';

const ACCOUNT = { apiKey: new Secret('k'), balanceAccount: 'BA1' };

function readerOf(reply: ProviderReply, asked: ProviderRequest[] = []) {
  const exchange = async (request: ProviderRequest) => {
    asked.push(request);
    return reply;
  };
  return createAdyenTransfersFloatReader(ACCOUNT, { exchange });
}

const answered = (status: number, body: unknown): ProviderReply => ({
  kind: 'answered',
  status,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const balance = (currency: string, available: unknown) => ({
  currency,
  available,
  balance: 1,
  pending: 0,
  reserved: 0,
});
const read = (status: number, body: unknown) => readerOf(answered(status, body)).read(noDeadline());

describe('the balance for Adyen transfers', () => {
  it('the Adyen balance is the available amount by currency, and zero for an unlisted currency', async () => {
    const asked: ProviderRequest[] = [];
    const body = { id: 'BA1', balances: [balance('EUR', 123_456), balance('GBP', 5)] };
    const reader = readerOf(answered(200, body), asked);
    assert.deepEqual(await reader.read(noDeadline()), {
      ok: true,
      value: [
        { currency: 'EUR', minor: 123_456n },
        { currency: 'USD', minor: 0n },
      ],
    });
    assert.deepEqual(
      asked.map(({ verb, path, headers }) => [verb, path, headers]),
      [['GET', '/balanceAccounts/BA1', { 'x-api-key': 'k' }]],
    );
    assert.equal(reader.rail, 'adyen-transfers');
  });

  it('the Adyen balance is negative if the account is overdrawn', async () => {
    const { ok, ...left } = await read(200, { id: 'BA1', balances: [balance('EUR', -1), balance('USD', 2)] });
    assert.deepEqual(
      [ok, left],
      [
        true,
        {
          value: [
            { currency: 'EUR', minor: -1n },
            { currency: 'USD', minor: 2n },
          ],
        },
      ],
    );
  });

  it('an unreadable balance of Adyen’s balance account is an error', async () => {
    const nothing: readonly (readonly [status: number, body: unknown])[] = [
      [200, ''],
      [200, { id: 'BA2', balances: [] }],
      [200, { id: 'BA1' }],
      [200, { id: 'BA1', balances: [balance('EUR', '1.5')] }],
      [200, { id: 'BA1', balances: [{ currency: 'EUR' }] }],
      [401, { status: 401 }],
      [500, { id: 'BA1', balances: [] }],
    ];
    for (const [status, body] of nothing) assert.equal((await read(status, body)).ok, false, JSON.stringify(body));
    const silent = readerOf({ kind: 'no_answer', reason: 'no response in time' });
    assert.deepEqual(await silent.read(noDeadline()), { ok: false, error: 'no response in time' });
  });
});
