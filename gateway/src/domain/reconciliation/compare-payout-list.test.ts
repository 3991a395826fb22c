import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Payout } from '../payouts/payout.ts';
import type { ListedPayout } from '../payouts/payout-lister.ts';
import { compareStatement, missingThere, stateAt } from './compare-payout-list.ts';
import type { KnownPayout } from './reconciliation-store.ts';

const EUR_10 = { currency: 'EUR', minor: 1_000n } as const;

function known(change: Partial<KnownPayout> & { state?: Payout['state'] } = {}): KnownPayout {
  const { state = 'success', ...rest } = change;
  const payout: Payout = {
    merchantId: 'm',
    payoutId: 'P',
    transactionId: 1,
    purpose: 'payout',
    method: 9,
    money: EUR_10,
    amountText: '10',
    fee: 0n,
    rail: 'a',
    contentHash: Buffer.alloc(0),
    state,
    blockedReason: state === 'blocked' ? 'bank_declined' : null,
    beneficiary: { accountShown: '', fields: {}, vaultToken: null },
    acceptedAt: 0,
    finishedAt: 0,
  };
  return { reference: 'R', payout, adjustedBy: {}, ...rest };
}

function line(change: Partial<ListedPayout> = {}): ListedPayout {
  return { reference: 'R', providerId: 'X1', money: EUR_10, state: 'executed', ...change };
}

function compare(lines: readonly ListedPayout[], ours: KnownPayout | undefined = known(), unreadable: string[] = []) {
  return compareStatement('a', { payouts: lines, unreadable }, (reference) => (reference === 'R' ? ours : undefined));
}

const OURS: Readonly<Record<ListedPayout['state'], KnownPayout>> = {
  executed: known(),
  declined: known({ state: 'blocked' }),
  reversed: known({ adjustedBy: { reversed: 'a' } }),
  pending: known({ state: 'pending' }),
};

describe('comparison of a provider’s list with the books', () => {
  it('the state of a payout for a comparison follows from its state and its adjustments', () => {
    for (const [state, ours] of Object.entries(OURS)) assert.equal(stateAt('a', ours), state);
    const late = { late_execution: 'a' } as const;
    assert.equal(stateAt('a', known({ state: 'blocked', adjustedBy: late })), 'executed');
    assert.equal(stateAt('a', known({ state: 'blocked', adjustedBy: { ...late, reversed: 'a' } })), 'reversed');
  });

  it('a payout that left a rail is treated as declined there, unless that rail executed it late', () => {
    assert.equal(stateAt('b', known()), 'declined');
    assert.equal(stateAt('b', OURS.pending), 'declined');
    assert.equal(stateAt('b', known({ state: 'blocked', adjustedBy: { late_execution: 'b' } })), 'executed');
    const { news } = compareStatement('b', { payouts: [line()], unreadable: [] }, () => known());
    assert.deepEqual(
      news.map(({ event }) => event),
      ['executed'],
    );
  });

  const expected: readonly (readonly [theirs: ListedPayout['state'], ours: ListedPayout['state'], what: string])[] = [
    ['executed', 'executed', 'matched'],
    ['executed', 'pending', 'news'],
    ['executed', 'declined', 'news'],
    ['executed', 'reversed', 'state'],
    ['declined', 'declined', 'matched'],
    ['declined', 'reversed', 'matched'],
    ['declined', 'pending', 'news'],
    ['declined', 'executed', 'state'],
    ['reversed', 'reversed', 'matched'],
    ['reversed', 'declined', 'matched'],
    ['reversed', 'pending', 'news'],
    ['reversed', 'executed', 'news'],
    ['pending', 'pending', 'matched'],
    ['pending', 'executed', 'state'],
    ['pending', 'declined', 'state'],
    ['pending', 'reversed', 'state'],
  ];
  for (const [theirs, ours, what] of expected) {
    it(`a payout ${theirs} at the provider and ${ours} in the books is compared as ${what}`, () => {
      const { matched, differences, news } = compare([line({ state: theirs })], OURS[ours]);
      const found = news.length > 0 ? 'news' : matched === 1 ? 'matched' : differences[0]?.kind;
      assert.equal(found, what);
      assert.equal(matched + differences.length + news.length, 1);
      if (what === 'news') assert.equal(news[0]?.event, theirs);
    });
  }

  it('two executions under one reference are a duplicate', () => {
    const { differences } = compare([line(), line({ providerId: 'X2' })]);
    assert.deepEqual(differences, [
      {
        kind: 'duplicate',
        subject: 'R',
        merchantId: 'm',
        payoutId: 'P',
        transactionId: null,
        ours: 'executed, 10.00 EUR',
        theirs: 'executed, 10.00 EUR, X1; executed, 10.00 EUR, X2',
      },
    ]);
  });

  it('an execution with its return is a reversal, and another execution is a duplicate', () => {
    const [first, back, again] = [line(), line({ state: 'reversed' }), line({ providerId: 'X2' })];
    assert.deepEqual(
      compare([first, back]).news.map(({ event }) => event),
      ['reversed'],
    );
    assert.equal(compare([first, back, again]).matched, 1);
    assert.deepEqual(
      compare([first, back, again, line({ providerId: 'X3' })]).differences.map(({ kind }) => kind),
      ['duplicate'],
    );
  });

  it('a declined attempt before an executed attempt is not a duplicate', () => {
    assert.equal(compare([line({ state: 'declined', providerId: 'X0' }), line()]).matched, 1);
  });

  it('a different amount or currency on the provider’s list is a difference', () => {
    for (const money of [
      { currency: 'EUR', minor: 1_001n },
      { currency: 'USD', minor: 1_000n },
    ] as const)
      assert.deepEqual(
        compare([line({ money })]).differences.map(({ kind }) => kind),
        ['amount'],
      );
  });

  it('a list entry that matches no payout is a difference, with or without a reference', () => {
    const { differences } = compare([line({ reference: 'other' }), line({ reference: null, providerId: 'X9' })]);
    assert.deepEqual(
      differences.map(({ kind, subject, merchantId }) => [kind, subject, merchantId]),
      [
        ['missing_here', 'other', null],
        ['missing_here', 'X9', null],
      ],
    );
  });

  it('an unreadable entry of the provider’s list is a difference', () => {
    assert.deepEqual(compare([], undefined, ['no amount']).differences, [
      {
        kind: 'unreadable',
        subject: 'no amount',
        merchantId: null,
        payoutId: null,
        transactionId: null,
        ours: '',
        theirs: 'no amount',
      },
    ]);
  });

  it('a payout that the provider’s list omits is a difference with our state and amount', () => {
    assert.deepEqual(missingThere('a', known()), {
      kind: 'missing_there',
      subject: 'R',
      merchantId: 'm',
      payoutId: 'P',
      transactionId: null,
      ours: 'executed, 10.00 EUR',
      theirs: 'not on the list',
    });
  });
});
