import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEPOSIT_WAITS } from '../../../contract/texts/deposit-waits.ts';
import { testDeposit } from '../../../test/support/deposits/test-deposit.ts';
import { testAttempt } from '../../../test/support/form/test-attempt.ts';
import { WIRE_START } from '../../../test/support/merchants/wire-merchants.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../foundation/clock.ts';
import type { Deposit, Mismatch, RecordedTransfer } from '../deposits/deposit.ts';
import { isInFlight } from './attempts/payment-attempt.ts';
import { type DepositExplanation, explainDeposit } from './explain-deposit.ts';
import type { PayerStep } from './payment-rail.ts';

const LATER = WIRE_START + MINUTE_MS;

function transfer(mismatch: Mismatch | null, change: Partial<RecordedTransfer> = {}): RecordedTransfer {
  return {
    merchantId: 'M1',
    transactionId: 1001,
    rail: 'in_memory',
    transferKey: 'k',
    payTo: '646180499000000003',
    money: { currency: 'MXN', minor: 4_000n },
    kept: 4_000n,
    originator: { name: '', account: '', institution: '', concept: '', trackingKey: '' },
    mismatch,
    state: mismatch === null ? 'credited' : 'held',
    foundBy: 'notification',
    bookedAt: LATER,
    recordedAt: LATER,
    resolvedAt: null,
    resolution: '',
    returnId: null,
    ...change,
  };
}

function explain(
  change: Partial<Deposit>,
  now: number,
  ...transfers: RecordedTransfer[]
): DepositExplanation | undefined {
  return explainDeposit({ deposit: testDeposit(change), transfers, attempts: [] }, now, []);
}

function textsOf(found: DepositExplanation | undefined) {
  assert(found);
  return DEPOSIT_WAITS[found.reason](found.facts);
}

describe('the explanation of a pending deposit', () => {
  const graceBegins = WIRE_START + DAY_MS;
  const closes = WIRE_START + 4 * DAY_MS;

  for (const [what, change, now, reason, since, nextAt] of [
    ['for the payer', {}, LATER, 'payer', WIRE_START, graceBegins],
    ['for the payer until the expiry', {}, graceBegins - 1, 'payer', WIRE_START, graceBegins],
    ['in its grace period', {}, graceBegins, 'grace', graceBegins, closes],
    ['in its grace period until it closes', {}, closes - 1, 'grace', graceBegins, closes],
    ['for its closing', {}, closes, 'closing', closes, closes],
    ['for a provider', { state: 'created' }, LATER, 'provider', WIRE_START, closes],
  ] as const) {
    it(`the explanation states that a deposit waits ${what}`, () => {
      const found = explain(change, now);
      assert.deepEqual([found?.reason, found?.since, found?.nextAt, found?.note], [reason, since, nextAt, '']);
    });
  }

  it('the explanation of a pending deposit shows the amount and the address', () => {
    assert.match(textsOf(explain({}, LATER)).waitsFor, /100\.00 MXN to 646180499000000003/);
  });

  it('the explanation of a deposit with held money states that the operator decides, and each mismatch', () => {
    const found = explain(
      {},
      LATER,
      transfer('short'),
      transfer('over', { money: { currency: 'MXN', minor: 20_000n } }),
    );
    assert.deepEqual([found?.reason, found?.since, found?.nextAt], ['operator', LATER, closes]);
    assert.equal(
      found?.note,
      '40.00 MXN came, less than the deposit’s amount; 200.00 MXN came, more than the deposit’s amount',
    );
  });

  it('the explanation mentions mismatch_policy only if the policy would credit the money', () => {
    for (const [mismatch, isNamed] of [
      ['late', true],
      ['displaced', false],
      ['other_currency', false],
    ] as const) {
      const found = explain({ state: 'success', finishedAt: LATER }, LATER, transfer(mismatch));
      assert.equal(/mismatch_policy = credit/.test(textsOf(found).merchantCan), isNamed, mismatch);
    }
  });

  it('held money of a final deposit waits for the operator, without a next automatic step', () => {
    const found = explain({ state: 'success', finishedAt: LATER }, LATER, transfer(null), transfer('twice'));
    assert.deepEqual([found?.reason, found?.nextAt], ['operator', null]);
    assert.equal(found?.note, '40.00 MXN came, after the deposit was paid');
  });

  it('a final deposit without held money has no explanation', () => {
    const returned = transfer('twice', { state: 'returned', resolvedAt: LATER });
    assert.equal(explain({ state: 'success', finishedAt: LATER }, LATER, transfer(null), returned), undefined);
    assert.equal(explain({ state: 'fail', failReason: 'expired', finishedAt: LATER }, LATER), undefined);
  });
});

describe('the explanation of a pending deposit of the hosted form', () => {
  const step: PayerStep = { kind: 'code', text: '00020126' };
  const askAt = LATER + MINUTE_MS;

  for (const [state, reason, says, nextAt, change] of [
    ['starting', 'silence', /received the attempt/, askAt, {}],
    ['unknown', 'silence', /no usable response \(timed out\)/, askAt, { detail: 'timed out' }],
    ['acting', 'step', /pay with the code on their page/, askAt, { step }],
    ['deciding', 'decision', /the payer’s bank has agreed/, askAt, { isAuthorised: true }],
    [
      'refused',
      'retry',
      /was refused \(declined: 05\)/,
      WIRE_START + 4 * DAY_MS,
      { refusal: 'declined', detail: '05' },
    ],
    ['abandoned', 'retry', /may make another attempt/, WIRE_START + 4 * DAY_MS, {}],
  ] as const) {
    it(`the explanation of a form’s deposit covers an attempt in state ${state}`, () => {
      const attempt = testAttempt({ state, askAt: isInFlight({ state }) ? askAt : null, ...change });
      const deposit = testDeposit({ paymentType: 'card', rail: 'in_memory' });
      const found = explainDeposit({ deposit, transfers: [], attempts: [attempt] }, LATER, []);
      assert.deepEqual([found?.reason, found?.nextAt], [reason, nextAt]);
      assert.match(textsOf(found).waitsFor, says);
    });
  }

  it('the explanation of a form’s deposit states that the operator decides after the provider’s deadline', () => {
    const deposit = testDeposit({ paymentType: 'card', rail: 'in_memory' });
    const deadlines = [{ rail: 'in_memory', decidesWithinMs: HOUR_MS }];
    const deadline = deposit.closesAt + HOUR_MS;
    for (const state of ['starting', 'acting', 'deciding', 'unknown'] as const) {
      const attempts = [testAttempt({ state })];
      const at = (now: number) => explainDeposit({ deposit, transfers: [], attempts }, now, deadlines);
      assert.notEqual(at(deadline - 1)?.reason, 'overdue', state);
      assert.deepEqual([at(deadline)?.reason, at(deadline)?.since], ['overdue', deadline], state);
      assert.match(textsOf(at(deadline)).waitsFor, /the operator, who must ask in_memory/);
    }
  });

  it('a final deposit of the form has no explanation', () => {
    const deposit = testDeposit({ paymentType: 'card', state: 'success', finishedAt: LATER });
    assert.equal(
      explainDeposit({ deposit, transfers: [], attempts: [testAttempt({ state: 'paid' })] }, LATER, []),
      undefined,
    );
  });
});
