import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDeposit } from '../../../test/support/test-deposit.ts';
import { hashOfToken } from './form-session.ts';
import { decideOrder, type OrderClaim, type OrderDecision } from './order-claim.ts';

const money = { currency: 'EUR', minor: 10_000n } as const;
const form = testDeposit({ paymentType: 'card', money });
const mine = hashOfToken('mine');
const theirs = hashOfToken('theirs');
const hostToHost = testDeposit({ paymentType: 'spei', money });

const HOLDERS = {
  'an unsigned form that waits': { deposit: form, isSigned: false, visitorHash: theirs, isUnderWay: false },
  'an unsigned form that is being paid': { deposit: form, isSigned: false, visitorHash: theirs, isUnderWay: true },
  'a signed form that waits': { deposit: form, isSigned: true, visitorHash: theirs, isUnderWay: false },
  'a signed form that is being paid': { deposit: form, isSigned: true, visitorHash: theirs, isUnderWay: true },
  'a host-to-host request': { deposit: hostToHost, isSigned: true, visitorHash: theirs, isUnderWay: false },
  'an unsigned form that failed': {
    deposit: { ...form, state: 'fail' },
    isSigned: false,
    visitorHash: theirs,
    isUnderWay: false,
  },
  'what the merchant signed and failed': {
    deposit: { ...form, state: 'fail' },
    isSigned: true,
    visitorHash: theirs,
    isUnderWay: false,
  },
  'what was paid': { deposit: { ...form, state: 'success' }, isSigned: false, visitorHash: theirs, isUnderWay: false },
} as const;

const CLAIMS = {
  unsigned: { by: 'form', isSigned: false, visitorHash: mine, money },
  signed: { by: 'form', isSigned: true, visitorHash: mine, money },
  other: { by: 'form', isSigned: true, visitorHash: mine, money: { ...money, minor: 1n } },
  hostToHost: { by: 'host_to_host', isSigned: true, visitorHash: mine, money },
} satisfies Record<string, OrderClaim>;

/** For an unsigned form, a signed one, a signed one over another amount, and a host-to-host request. */
const DECISIONS: Record<keyof typeof HOLDERS, readonly [OrderDecision, OrderDecision, OrderDecision, OrderDecision]> = {
  'an unsigned form that waits': ['displaced', 'displaced', 'displaced', 'displaced'],
  'an unsigned form that is being paid': ['taken', 'displaced', 'displaced', 'displaced'],
  'a signed form that waits': ['taken', 'joined', 'displaced', 'taken'],
  'a signed form that is being paid': ['taken', 'joined', 'taken', 'taken'],
  'a host-to-host request': ['taken', 'taken', 'taken', 'taken'],
  'an unsigned form that failed': ['over', 'over', 'over', 'over'],
  'what the merchant signed and failed': ['over', 'over', 'over', 'taken'],
  'what was paid': ['taken', 'taken', 'taken', 'taken'],
};

describe('an order that is had by', () => {
  for (const [name, decisions] of Object.entries(DECISIONS)) {
    it(`${name} is given on only where nothing signed loses by it and nothing is paid twice`, () => {
      const holder = HOLDERS[name as keyof typeof HOLDERS];
      assert.deepEqual(
        Object.values(CLAIMS).map((claim) => decideOrder(holder, claim)),
        decisions,
      );
    });
  }

  it('an unsigned form goes on as the same payment in the browser that opened it, over the same amount alone', () => {
    for (const isUnderWay of [true, false]) {
      const holder = { deposit: form, isSigned: false, visitorHash: mine, isUnderWay };
      assert.equal(decideOrder(holder, CLAIMS.unsigned), 'joined');
      assert.notEqual(decideOrder(holder, { ...CLAIMS.unsigned, money: CLAIMS.other.money }), 'joined');
      assert.notEqual(decideOrder(holder, { ...CLAIMS.unsigned, visitorHash: null }), 'joined');
      assert.notEqual(decideOrder({ ...holder, visitorHash: null }, CLAIMS.unsigned), 'joined');
    }
  });
});
