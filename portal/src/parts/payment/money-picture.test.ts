import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chainsOf } from './money-picture.ts';

const line = (journal: string, debit: string, credit: string, amount: string) => ({
  at: '2026-11-23T10:00:00.000Z',
  journal,
  kind: journal,
  debit,
  credit,
  amount,
  currency: 'EUR',
  note: null,
});

describe('the money picture', () => {
  it('the money picture shows one chain of transfers for a payout', () => {
    const [chain, ...others] = chainsOf([
      line('reserve', 'available', 'reserved', '25.25'),
      line('execute', 'reserved', 'clearing:adyen', '25.00'),
      line('execute', 'reserved', 'fees', '0.25'),
    ]);
    assert.equal(others.length, 0);
    assert.deepEqual(chain?.from, { account: 'available', amount: '25.25', currency: 'EUR' });
    assert.deepEqual(
      chain?.steps.map(({ places }) => places.map(({ account, amount }) => `${account} ${amount}`)),
      [['reserved 25.25'], ['clearing:adyen 25.00', 'fees 0.25']],
    );
  });

  it('the money picture begins a new chain for money from a different account', () => {
    const chains = chainsOf([
      line('transfer', 'clearing:stp', 'suspense', '90.00'),
      line('refund', 'available', 'reserved', '90.00'),
    ]);
    assert.deepEqual(
      chains.map(({ from }) => from.account),
      ['clearing:stp', 'available'],
    );
  });

  it('the money picture ends with the expected step and is empty while no money has moved', () => {
    const expected = [{ account: 'clearing:adyen', amount: '25.00', currency: 'EUR' }];
    const [chain] = chainsOf([line('reserve', 'available', 'reserved', '25.00')], expected);
    assert.deepEqual(chain?.steps.at(-1), { at: null, journal: 'expected', kind: 'expected', places: expected });
    assert.deepEqual(chainsOf([], expected), []);
  });
});
