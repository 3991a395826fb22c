import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDeposit } from '../../../../test/support/deposits/test-deposit.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import { hashOfToken } from '../form-session.ts';
import type { OrderHolder } from '../payment-store.ts';
import { decideOpening, decideOrder, type OrderClaim, type OrderDecision } from './order-claim.ts';

const money = { currency: 'EUR', minor: 10_000n } as const;
const form = testDeposit({ paymentType: 'card', money });
const mine = hashOfToken('mine');
const theirs = hashOfToken('theirs');
const hostToHost = testDeposit({ paymentType: 'spei', money });
const NOW = form.createdAt + 60 * MINUTE_MS;
const LONG_AGO = NOW - 30 * MINUTE_MS;
const JUST_NOW = LONG_AGO + 1;

const unsigned: OrderHolder = { deposit: form, isSigned: false, visitorHash: theirs, busySince: null };
const signed: OrderHolder = { ...unsigned, isSigned: true };
const failed = { ...form, state: 'fail' } as const;
const paid = { ...form, state: 'success' } as const;

const HOLDERS = {
  'an unsigned form that nobody is paying': unsigned,
  'an unsigned form that is being paid': { ...unsigned, busySince: JUST_NOW },
  'an unsigned form whose payer left 30 minutes ago': { ...unsigned, busySince: LONG_AGO },
  'a signed form that nobody is paying': signed,
  'a signed form that is being paid': { ...signed, busySince: JUST_NOW },
  'a signed form whose payer left 30 minutes ago': { ...signed, busySince: LONG_AGO },
  'a host-to-host request': { ...signed, deposit: hostToHost },
  'an unsigned form that failed': { ...unsigned, deposit: failed },
  'a signed form that failed': { ...signed, deposit: failed },
  'an unsigned form that was paid': { ...unsigned, deposit: paid },
  'a signed form that was paid': { ...signed, deposit: paid },
} satisfies Record<string, OrderHolder>;

const CLAIMS = {
  unsigned: { by: 'form', isSigned: false, visitorHash: mine, money, at: NOW },
  signed: { by: 'form', isSigned: true, visitorHash: mine, money, at: NOW },
  other: { by: 'form', isSigned: true, visitorHash: mine, money: { ...money, minor: 1n }, at: NOW },
  hostToHost: { by: 'host_to_host', isSigned: true, visitorHash: mine, money, at: NOW },
} satisfies Record<string, OrderClaim>;

/** In this order: an unsigned form, a signed one, a signed one with another amount, and a host-to-host request. */
const DECISIONS: Record<keyof typeof HOLDERS, readonly [OrderDecision, OrderDecision, OrderDecision, OrderDecision]> = {
  'an unsigned form that nobody is paying': ['displaced', 'displaced', 'displaced', 'displaced'],
  'an unsigned form that is being paid': ['kept', 'displaced', 'displaced', 'displaced'],
  'an unsigned form whose payer left 30 minutes ago': ['displaced', 'displaced', 'displaced', 'displaced'],
  'a signed form that nobody is paying': ['kept', 'joined', 'displaced', 'kept'],
  'a signed form that is being paid': ['kept', 'joined', 'kept', 'kept'],
  'a signed form whose payer left 30 minutes ago': ['kept', 'joined', 'kept', 'kept'],
  'a host-to-host request': ['kept', 'kept', 'kept', 'kept'],
  'an unsigned form that failed': ['over', 'over', 'over', 'over'],
  'a signed form that failed': ['over', 'over', 'over', 'kept'],
  'an unsigned form that was paid': ['kept', 'displaced', 'displaced', 'displaced'],
  'a signed form that was paid': ['kept', 'kept', 'kept', 'kept'],
};

describe('the decision between two requests for one order', () => {
  for (const [name, decisions] of Object.entries(DECISIONS)) {
    const wants = `an unsigned form: ${decisions[0]}, a signed one: ${decisions[1]}, another amount: ${decisions[2]}, host-to-host: ${decisions[3]}`;
    it(`the decisions about the order of ${name} are ${wants}`, () => {
      const holder = HOLDERS[name as keyof typeof HOLDERS];
      assert.deepEqual(
        Object.values(CLAIMS).map((claim) => decideOrder(holder, claim)),
        decisions,
      );
    });
  }

  it('an unsigned form joins the payment of another form only in the same browser and with the same amount', () => {
    for (const busySince of [LONG_AGO, JUST_NOW, null]) {
      const holder = { deposit: form, isSigned: false, visitorHash: mine, busySince };
      assert.equal(decideOrder(holder, CLAIMS.unsigned), 'joined');
      assert.notEqual(decideOrder(holder, { ...CLAIMS.unsigned, money: CLAIMS.other.money }), 'joined');
      assert.notEqual(decideOrder(holder, { ...CLAIMS.unsigned, visitorHash: null }), 'joined');
      assert.notEqual(decideOrder({ ...holder, visitorHash: null }, CLAIMS.unsigned), 'joined');
    }
  });
});

describe('the opening of an order’s link', () => {
  const own = { ...CLAIMS.signed, visitorHash: theirs };
  const cases: readonly [name: string, holder: OrderHolder, claim: OrderClaim, opening: string][] = [
    [
      'the signed link of a payment in progress resumes it',
      HOLDERS['a signed form that is being paid'],
      CLAIMS.signed,
      'resumed',
    ],
    ['a link with another amount resumes nothing', HOLDERS['a signed form that is being paid'], CLAIMS.other, 'fresh'],
    [
      'the unsigned link resumes a payment in its own browser',
      { ...unsigned, busySince: JUST_NOW },
      { ...own, isSigned: false },
      'resumed',
    ],
    [
      'the unsigned link resumes nothing in another browser',
      { ...unsigned, busySince: JUST_NOW },
      CLAIMS.unsigned,
      'fresh',
    ],
    ['a link without an attempt in flight opens a form', signed, CLAIMS.signed, 'fresh'],
    ['the link of a paid order opens the receipt in its own browser', { ...signed, deposit: paid }, own, 'resumed'],
    [
      'the signed link of a paid order shows only that it is paid in another browser',
      { ...signed, deposit: paid },
      CLAIMS.signed,
      'paid',
    ],
    [
      'the unsigned link of a paid order reveals nothing in another browser',
      { ...unsigned, deposit: paid },
      CLAIMS.unsigned,
      'fresh',
    ],
    ['the link of a failed order opens a form', { ...signed, deposit: failed }, own, 'fresh'],
  ];
  for (const [name, holder, claim, opening] of cases)
    it(name, () => assert.equal(decideOpening(holder, claim), opening));
});
