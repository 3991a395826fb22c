import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDeposit } from '../../../test/support/test-deposit.ts';
import { decideOrder, type OrderClaim, type OrderDecision } from './order-claim.ts';

const money = { currency: 'EUR', minor: 10_000n } as const;
const form = testDeposit({ paymentType: 'card', money });
const hostToHost = testDeposit({ paymentType: 'spei', money });

const HOLDERS = {
  'an unsigned form that waits': { deposit: form, isSigned: false, isUnderWay: false },
  'an unsigned form that is being paid': { deposit: form, isSigned: false, isUnderWay: true },
  'a signed form that waits': { deposit: form, isSigned: true, isUnderWay: false },
  'a signed form that is being paid': { deposit: form, isSigned: true, isUnderWay: true },
  'a host-to-host request': { deposit: hostToHost, isSigned: true, isUnderWay: false },
  'an unsigned form that failed': { deposit: { ...form, state: 'fail' }, isSigned: false, isUnderWay: false },
  'what the merchant signed and failed': { deposit: { ...form, state: 'fail' }, isSigned: true, isUnderWay: false },
  'what was paid': { deposit: { ...form, state: 'success' }, isSigned: false, isUnderWay: false },
} as const;

const CLAIMS = {
  unsigned: { by: 'form', isSigned: false, money },
  signed: { by: 'form', isSigned: true, money },
  other: { by: 'form', isSigned: true, money: { ...money, minor: 1n } },
  hostToHost: { by: 'host_to_host', isSigned: true, money },
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
});
