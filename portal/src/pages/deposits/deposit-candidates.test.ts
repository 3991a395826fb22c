import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deposit, Transfer } from '../../../../gateway/contract/endpoints/deposits.ts';
import { candidatesOf } from './deposit-candidates.ts';

const transfer = {
  payTo: '646',
  amount: '40.00',
  currency: 'MXN',
  bookedAt: '2026-11-23T10:00:00.000Z',
  originator: { name: 'ANA', account: '', institution: '', concept: 'pago order 77-A', trackingKey: '' },
} as Transfer;

const deposit = (orderId: string, change: Partial<Deposit>): Deposit =>
  ({
    merchantId: 'M1',
    orderId,
    amount: '100.00',
    received: '0.00',
    currency: 'MXN',
    state: 'created',
    payTo: '',
    createdAt: '2026-11-23T09:00:00.000Z',
    ...change,
  }) as Deposit;

const ranked = (...deposits: Deposit[]) =>
  candidatesOf(transfer, deposits).map(({ deposit: { orderId }, reasons }) => [orderId, ...reasons]);

describe('the deposits that held money may be meant for', () => {
  it('deposits rank by a match of the payer’s order, then of the address, then of the amount', () => {
    const found = ranked(
      deposit('amount', { amount: '40.00' }),
      deposit('address', { payTo: '646' }),
      deposit('ORDER-77A', {}),
    );
    assert.deepEqual(found, [
      ['ORDER-77A', 'named', 'other_amount', 'recent'],
      ['address', 'address', 'other_amount', 'recent'],
      ['amount', 'amount', 'recent'],
    ]);
  });

  it('money that completes a partly paid order ranks like an equal amount', () => {
    const [first] = ranked(deposit('plain', {}), deposit('part', { received: '60.00' }));
    assert.deepEqual(first, ['part', 'missing', 'recent']);
  });

  it('an order in another currency is not a candidate for held money', () => {
    const found = ranked(
      deposit('paid', { amount: '40.00', state: 'success' }),
      deposit('later', { amount: '40.00', createdAt: '2026-11-25T09:00:00.000Z' }),
      deposit('open', { amount: '40.00' }),
      deposit('euro', { amount: '40.00', currency: 'EUR' }),
    );
    assert.deepEqual(found, [
      ['open', 'amount', 'recent'],
      ['paid', 'amount', 'recent', 'paid'],
      ['later', 'amount', 'later'],
    ]);
  });
});
