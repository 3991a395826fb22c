import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  creditDeposit,
  creditHeld,
  executeLate,
  executePayout,
  fundMerchant,
  holdCredited,
  type PayoutPosting,
  releasePayout,
  reservePayout,
  reversePayout,
  withdrawFunding,
} from './journals.ts';
import { type AccountName, type Balances, balanceOf, type Journal, netChanges } from './transfer.ts';

type Step = (payout: PayoutPosting, balances: Balances) => readonly Journal[];

interface Life {
  readonly steps: readonly Step[];
  /** True if the amount is at the bank in the end. */
  readonly paid: boolean;
  /** True if the fee is earned in the end. */
  readonly charged: boolean;
}

const amounts = fc.bigInt({ min: 1n, max: 10n ** 14n });
const fees = fc.bigInt({ min: 0n, max: 10n ** 6n });

/** Every sequence of journals that a payout can post. */
const LIVES: Readonly<Record<string, Life>> = {
  succeeds: { steps: [(payout) => [executePayout(payout)]], paid: true, charged: true },
  'is blocked': { steps: [(payout, balances) => [releasePayout(payout, balances)]], paid: false, charged: false },
  'is reversed later': {
    steps: [(payout) => [executePayout(payout)], (payout, balances) => [reversePayout(payout, balances)]],
    paid: false,
    charged: true,
  },
  'is executed after all': {
    steps: [
      (payout, balances) => [releasePayout(payout, balances)],
      (payout, balances) => [executeLate(payout, balances)],
    ],
    paid: true,
    charged: false,
  },
  'is executed after all and then reversed': {
    steps: [
      (payout, balances) => [releasePayout(payout, balances)],
      (payout, balances) => [executeLate(payout, balances)],
      (payout, balances) => [reversePayout(payout, balances)],
    ],
    paid: false,
    charged: false,
  },
};

function post(balances: Map<AccountName, bigint>, journal: Journal): void {
  for (const transfer of journal.transfers) {
    assert.ok(transfer.amount > 0n, 'a transfer moves an amount above zero');
    assert.notEqual(transfer.debit, transfer.credit);
  }
  for (const [account, change] of netChanges(journal.transfers)) {
    balances.set(account, (balances.get(account) ?? 0n) + change);
  }
}

function assertSound(balances: Map<AccountName, bigint>): void {
  const total = [...balances.values()].reduce((sum, balance) => sum + balance, 0n);
  assert.equal(total, 0n, 'debits equal credits');
  assert.ok((balances.get('available') ?? 0n) >= 0n, 'available is not below zero');
  assert.ok((balances.get('reserved') ?? 0n) >= 0n, 'reserved is not below zero');
  assert.ok((balances.get('owed') ?? 0n) <= 0n, 'owed is not above zero');
}

function posting(amount: bigint, fee: bigint, currency: PayoutPosting['currency'] = 'EUR'): PayoutPosting {
  return { merchantId: 'M1', payoutId: 'A17', currency, amount, fee, rail: 'a_rail', source: 'available' };
}

describe('the journals of a payout', () => {
  for (const [life, { steps, paid, charged }] of Object.entries(LIVES)) {
    it(`a payout that ${life} never takes a ledger account below its floor`, () => {
      fc.assert(
        fc.property(amounts, fees, fees, (amount, fee, spare) => {
          const payout = posting(amount, fee);
          const balances = new Map<AccountName, bigint>();
          const order = {
            merchantId: 'M1',
            currency: 'EUR',
            amount: amount + fee + spare + 1n,
            reference: 'r',
          } as const;
          post(balances, fundMerchant(order, {}));
          post(balances, reservePayout(payout));
          for (const step of steps) {
            // The merchant moves other money meanwhile.
            const available = balances.get('available') ?? 0n;
            const out = { ...order, amount: available / 2n, reference: 'out' };
            post(balances, withdrawFunding(out));
            for (const journal of step(payout, Object.fromEntries(balances))) post(balances, journal);
            assertSound(balances);
          }
          assert.equal(balances.get('reserved') ?? 0n, 0n);
          assert.equal(balances.get('clearing:a_rail') ?? 0n, paid ? amount : 0n);
          assert.equal(balances.get('fees') ?? 0n, charged ? fee : 0n);
        }),
      );
    });
  }

  it('a sandbox payout creates the money that it reserves', () => {
    const balances = new Map<AccountName, bigint>();
    post(balances, reservePayout(posting(700n, 0n, 'TST')));
    assertSound(balances);
    assert.equal(balances.get('reserved'), 700n);
  });

  it('each journal of a payout has a unique id that contains the payout’s', () => {
    const payout = posting(1n, 0n);
    const names = [
      reservePayout(payout),
      executePayout(payout),
      releasePayout(payout, {}),
      reversePayout(payout, {}),
      executeLate(payout, {}),
    ].map(({ journalId }) => journalId);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.every((name) => name.startsWith('payout/A17/')));
  });
});

describe('a credit to a merchant with a debt', () => {
  it('a credit pays the merchant’s debt first, and the rest becomes available', () => {
    fc.assert(
      fc.property(amounts, amounts, (owed, credited) => {
        const balances = new Map<AccountName, bigint>([
          ['owed', -owed],
          ['clearing:a_rail', owed],
        ]);
        const order = { merchantId: 'M1', currency: 'EUR', amount: credited, reference: 'r' } as const;
        post(balances, fundMerchant(order, Object.fromEntries(balances)));
        assertSound(balances);
        const after = Object.fromEntries(balances);
        assert.equal(balanceOf(after, 'owed'), credited >= owed ? 0n : credited - owed);
        assert.equal(balanceOf(after, 'available'), credited >= owed ? credited - owed : 0n);
      }),
    );
  });

  it('a released payout pays the merchant’s debt first, so that no merchant has both money and debt', () => {
    fc.assert(
      fc.property(amounts, amounts, fees, (owed, amount, fee) => {
        const payout = posting(amount, fee);
        const balances = new Map<AccountName, bigint>([
          ['reserved', amount + fee],
          ['operator_funding', -amount - fee],
          ['owed', -owed],
          ['clearing:a_rail', owed],
        ]);
        post(balances, releasePayout(payout, Object.fromEntries(balances)));
        assertSound(balances);
        const after = Object.fromEntries(balances);
        assert.ok(balanceOf(after, 'owed') === 0n || balanceOf(after, 'available') === 0n);
        assert.equal(balanceOf(after, 'available') + balanceOf(after, 'owed'), amount + fee - owed);
      }),
    );
  });
});

describe('the journals of a deposit', () => {
  const receipt = { rail: 'a_rail', transferKey: 'T1', money: { currency: 'EUR', minor: 1_000n } } as const;

  it('a credited deposit gives the merchant the amount minus the fee, whether it was held before or not', () => {
    const held = new Map<AccountName, bigint>([
      ['suspense', 1_000n],
      ['clearing:a_rail', -1_000n],
    ]);
    for (const [balances, journal] of [
      [new Map<AccountName, bigint>(), creditDeposit('M1', receipt, 30n, {})],
      [held, creditHeld('M1', receipt, 30n, {})],
    ] as const) {
      post(balances, journal);
      assertSound(balances);
      const { available, fees, suspense = 0n } = Object.fromEntries(balances);
      assert.deepEqual([available, fees, suspense, balances.get('clearing:a_rail')], [970n, 30n, 0n, -1_000n]);
    }
  });

  it('the money of a deposit pays the merchant’s debt first, and its fee pays none of it', () => {
    const received = fc.bigInt({ min: 1n, max: 200n });
    fc.assert(
      fc.property(received, received, received, fc.boolean(), (minor, owed, share, isHeld) => {
        const fee = share < minor ? share : minor;
        const money = { ...receipt, money: { currency: 'EUR', minor } } as const;
        const balances = new Map<AccountName, bigint>([
          ['owed', -owed],
          ['suspense', isHeld ? minor : 0n],
          ['clearing:a_rail', isHeld ? owed - minor : owed],
        ]);
        const credit = isHeld ? creditHeld : creditDeposit;
        post(balances, credit('M1', money, fee, Object.fromEntries(balances)));
        assertSound(balances);
        const after = Object.fromEntries(balances);
        assert.ok(balanceOf(after, 'owed') === 0n || balanceOf(after, 'available') === 0n);
        assert.equal(balanceOf(after, 'available') + balanceOf(after, 'owed'), minor - fee - owed);
      }),
    );
  });

  it('the money of a displaced deposit is held in full', () => {
    const balances = new Map<AccountName, bigint>();
    post(balances, creditDeposit('M1', receipt, 30n, {}));
    post(balances, holdCredited('M1', receipt, 30n, Object.fromEntries(balances)));
    assertSound(balances);
    const { available, fees, suspense } = Object.fromEntries(balances);
    assert.deepEqual([available, fees, suspense], [0n, 0n, 1_000n]);
  });
});
