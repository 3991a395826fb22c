import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDeposit } from '../../../test/support/deposits/test-deposit.ts';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { DAY_MS } from '../../foundation/clock.ts';
import type { Deposit, IncomingTransfer } from './deposit.ts';
import type { DepositPlan, ReceiptPlan } from './deposit-store.ts';
import {
  ADMISSIONS,
  DEPOSIT_EVENTS,
  DEPOSIT_POSITIONS,
  DEPOSIT_TRANSITIONS,
  type DepositEvent,
  fitOf,
  MISMATCHES,
  MONEY_FITS,
  MONEY_REPORTERS,
  type MoneyFit,
  positionOf,
  stateAfter,
} from './deposit-transitions.ts';
import { planDisplacement } from './plan-displacement.ts';
import { planFailure } from './plan-failure.ts';
import { planReceipt } from './plan-receipt.ts';

const OPEN = testDeposit({ money: { currency: 'MXN', minor: 10_000n } });
const AT = OPEN.createdAt + 1;
const COMPOSE = { deposit: () => ({}), event: () => ({}), displaced: () => ({}) };
const HOLDING = merchantNamed('M1', { eventUrl: 'https://shop.example/events' });
const CREDITING = merchantNamed('M1', {
  eventUrl: 'https://shop.example/events',
  settings: { mismatch_policy: 'credit', other_payer_policy: 'credit' },
});

/** Every deposit that a database can hold, except an unopened one: no transfer can name it. */
const DEPOSITS: readonly Deposit[] = [
  OPEN,
  { ...OPEN, state: 'success', received: 10_000n, finishedAt: AT },
  { ...OPEN, state: 'success', received: 10_000n, finishedAt: AT, displacedBy: 2002 },
  { ...OPEN, state: 'fail', failReason: 'declined', finishedAt: AT },
  { ...OPEN, state: 'fail', failReason: 'cancelled', finishedAt: AT },
  { ...OPEN, state: 'fail', failReason: 'expired', finishedAt: AT },
  { ...OPEN, state: 'fail', failReason: 'displaced', finishedAt: AT },
  { ...OPEN, state: 'fail', failReason: 'displaced', finishedAt: AT, displacedBy: 2002 },
];

const FITTING: Readonly<Record<MoneyFit, Partial<IncomingTransfer>>> = {
  exact: {},
  other_payer: { isFromAnother: true },
  short: { money: { currency: 'MXN', minor: 9_999n } },
  over: { money: { currency: 'MXN', minor: 10_001n } },
  late: { bookedAt: OPEN.closesAt + DAY_MS },
  other_currency: { money: { currency: 'EUR', minor: 10_000n } },
};

function transferOf(fit: MoneyFit): IncomingTransfer {
  const originator = { name: '', account: '', institution: '', concept: '', trackingKey: '' };
  const plain = { rail: 'stp', transferKey: 'T1', payTo: OPEN.payTo, money: OPEN.money, originator, bookedAt: AT };
  return { ...plain, ...FITTING[fit] };
}

function arrive(deposit: Deposit, fit: MoneyFit, merchant = HOLDING): ReceiptPlan {
  return planReceipt({ deposit, balances: {} }, transferOf(fit), { merchant, compose: COMPOSE, at: AT });
}

const ARRIVALS = DEPOSITS.flatMap((deposit) =>
  MONEY_FITS.flatMap((fit) => [HOLDING, CREDITING].map((merchant) => ({ deposit, fit, merchant }))),
);

function inWords({ deposit, fit, merchant }: (typeof ARRIVALS)[number]): string {
  return [positionOf(deposit), fit, merchant.settings.mismatch_policy].join(' ');
}

it('the deposits of this test cover every state in which money can arrive', () => {
  const reached = new Set(DEPOSITS.map(positionOf));
  assert.deepEqual(
    DEPOSIT_POSITIONS.filter((position) => !reached.has(position)),
    ['created'],
  );
  for (const fit of MONEY_FITS) assert.equal(fitOf(OPEN, transferOf(fit)), fit);
});

it('money that the bank books in the last millisecond of the grace period is not late', () => {
  const { closesAt } = OPEN;
  const fits = [closesAt, closesAt + 1].map((bookedAt) => fitOf(OPEN, { ...transferOf('exact'), bookedAt }));
  assert.deepEqual(fits, ['exact', 'late']);
});

it('no event changes the state of a final deposit', () => {
  for (const deposit of DEPOSITS.filter(({ finishedAt }) => finishedAt !== null)) {
    for (const event of DEPOSIT_EVENTS)
      assert.equal(stateAfter(deposit, event) ?? deposit.state, deposit.state, `${positionOf(deposit)} ${event}`);
  }
});

it('only credited money completes a deposit', () => {
  for (const position of DEPOSIT_POSITIONS) {
    for (const [event, next] of Object.entries(DEPOSIT_TRANSITIONS[position]))
      assert.ok(next !== 'paid' || position === 'paid' || event === 'credited', `${position} ${event}`);
  }
});

it('all arriving money is credited or held in the currency of the transfer', () => {
  for (const each of ARRIVALS) {
    const { transfer, journals } = arrive(each.deposit, each.fit, each.merchant);
    assert.ok(transfer.state === 'credited' || transfer.state === 'held', inWords(each));
    const { money } = transferOf(each.fit);
    const posted = journals.flatMap(({ currency, transfers }) => transfers.map((one) => ({ currency, ...one })));
    const left = posted.filter(({ debit }) => debit === 'clearing:stp');
    assert.ok(left.every(({ currency }) => currency === money.currency));
    assert.equal(
      left.reduce((sum, { amount }) => sum + amount, 0n),
      money.minor,
      inWords(each),
    );
  }
});

it('a deposit succeeds by arriving money only while it is open', () => {
  for (const each of ARRIVALS) {
    const { change, transfer } = arrive(each.deposit, each.fit, each.merchant);
    const isCredited = transfer.state === 'credited';
    assert.equal(change?.state, each.deposit === OPEN && isCredited ? 'success' : undefined, inWords(each));
  }
});

it('a merchant that holds mismatches is credited only for the exact amount on an open deposit', () => {
  for (const each of ARRIVALS.filter(({ merchant }) => merchant === HOLDING)) {
    const isOwn = each.deposit === OPEN && each.fit === 'exact';
    const isAnothers = each.deposit === OPEN && each.fit === 'other_payer';
    const state = arrive(each.deposit, each.fit, each.merchant).transfer.state;
    if (!isAnothers) assert.equal(state, isOwn ? 'credited' : 'held', inWords(each));
  }
});

it('money in another currency or for a displaced deposit is held on arrival, whatever the merchant’s policies', () => {
  for (const each of ARRIVALS) {
    const isDisplaced = positionOf(each.deposit).endsWith('displaced');
    if (!isDisplaced && each.fit !== 'other_currency') continue;
    const { transfer } = arrive(each.deposit, each.fit, CREDITING);
    const mismatch = each.fit === 'other_currency' ? 'other_currency' : 'displaced';
    assert.deepEqual(transfer, { state: 'held', mismatch }, inWords(each));
  }
});

it('money has no mismatch only if it is the exact amount for an open deposit', () => {
  for (const position of DEPOSIT_POSITIONS) {
    for (const reporter of MONEY_REPORTERS) {
      for (const fit of MONEY_FITS) {
        const mismatch = MISMATCHES[position][reporter][fit];
        const isOpen = position === 'open' || position === 'created';
        assert.equal(mismatch === null, isOpen && fit === 'exact', `${position} ${reporter} ${fit}`);
        if (fit === 'other_currency') assert.equal(ADMISSIONS[mismatch ?? 'none'], 'hold');
      }
    }
  }
});

type Doing = (deposit: Deposit) => DepositPlan | undefined;

const NOTE = { actor: 'gateway', detail: '' };
const DISPLACING = { merchant: HOLDING, compose: COMPOSE, at: AT };
const DOINGS: Readonly<Record<DepositEvent, Doing>> = {
  credited: (deposit) => arrive(deposit, 'exact', CREDITING),
  held: (deposit) => arrive(deposit, 'other_currency'),
  declined: (deposit) => planFailure(deposit, { reason: 'declined', ...NOTE }, { compose: COMPOSE, at: AT }),
  cancelled: (deposit) => planFailure(deposit, { reason: 'cancelled', ...NOTE }, { compose: COMPOSE, at: AT }),
  expired: (deposit) => planFailure(deposit, { reason: 'expired', ...NOTE }, { compose: COMPOSE, at: AT }),
  displaced: (deposit) =>
    stateAfter(deposit, 'displaced') &&
    planDisplacement({ deposit, balances: {}, credited: [] }, { by: 2002 }, DISPLACING),
};

const SEQUENCES = DEPOSIT_EVENTS.flatMap((one) =>
  DEPOSIT_EVENTS.flatMap((two) => DEPOSIT_EVENTS.map((three) => [one, two, three] as const)),
);

it('a deposit reaches a final state at most once in every sequence of three events', () => {
  for (const events of SEQUENCES) {
    let deposit = OPEN;
    let changes = 0;
    let results = 0;
    for (const event of events) {
      const before = positionOf(deposit);
      const plan = DOINGS[event](deposit);
      if (!plan) continue;
      changes += plan.change ? 1 : 0;
      results += plan.callbacks.filter(({ subject }) => subject === 'deposit').length;
      const displacedBy = event === 'displaced' ? 2002 : deposit.displacedBy;
      deposit = { ...deposit, ...plan.change, displacedBy };
      const isHeld = 'transfer' in plan && (plan as ReceiptPlan).transfer.state === 'held';
      assert.equal(positionOf(deposit), DEPOSIT_TRANSITIONS[before][isHeld ? 'held' : event], events.join(', '));
    }
    const isOver = deposit.finishedAt !== null;
    assert.equal(changes, isOver ? 1 : 0, events.join(', '));
    assert.equal(results, isOver && deposit.failReason !== 'displaced' ? 1 : 0, events.join(', '));
  }
});
