import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDeposit } from '../../../../test/support/deposits/test-deposit.ts';
import { formRail } from '../../../../test/support/form/form-request.ts';
import { type MerchantChange, merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import { FORM_PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import type { RecordedAttempt } from '../../../domain/payments/attempts/payment-attempt.ts';
import type { FormSession } from '../../../domain/payments/form-session.ts';
import type { PayerStep } from '../../../domain/payments/payment-rail.ts';
import { HOUR_MS, MINUTE_MS } from '../../../foundation/clock.ts';
import type { PageView, ViewOf } from '../pages/page-view.ts';
import type { PageChoice } from './page-choice.ts';
import { viewOf } from './payment-view.ts';
import { isLive, type ViewRail, versionOf } from './view-facts.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const SHOP = 'https://shop.example';

const session: FormSession = {
  merchantId: 'M1',
  sessionId: '6f0c8a51-0000-4000-8000-000000000002',
  orderId: 'N17',
  money: { currency: 'EUR', minor: 1_250n },
  amountText: '12.50',
  isSigned: false,
  visitorHash: null,
  language: 'en',
  paymentType: null,
  parameters: { country: 'DE', item_name: 'Tea', email: 'anna@example.com' },
  transactionId: null,
  createdAt: NOW - MINUTE_MS,
  expiresAt: NOW + HOUR_MS,
};

const deposit = testDeposit({ money: session.money, paymentType: 'card', createdAt: NOW, expiresAt: NOW + HOUR_MS });

function attempt(change: Partial<RecordedAttempt> = {}): RecordedAttempt {
  return {
    merchantId: 'M1',
    transactionId: 1001,
    attempt: 1,
    rail: 'rail-card',
    paymentType: 'card',
    reference: '1-AbCdEfGh',
    providerReference: 'P1',
    kept: '',
    receipts: [],
    state: 'refused',
    step: null,
    isAuthorised: false,
    refusal: 'declined',
    canRetry: true,
    detail: '',
    startedAt: NOW - MINUTE_MS,
    sendUntil: NOW,
    askAt: null,
    asks: 0,
    openReturns: 0,
    finishedAt: null,
    ...change,
  };
}

const rails: readonly ViewRail[] = FORM_PAYMENT_TYPES.map((type) => ({
  ...formRail(type, { needs: ['email', 'firstName'] }),
  name: `rail-${type}`,
  frameOrigins: [],
}));

interface Scene {
  readonly attempts?: readonly RecordedAttempt[];
  readonly deposit?: Partial<typeof deposit>;
  readonly choice?: PageChoice;
  readonly merchant?: MerchantChange;
  readonly session?: Partial<FormSession>;
  readonly rails?: readonly ViewRail[];
  readonly afterMs?: number;
}

function view(scene: Scene = {}): PageView {
  const { attempts = [], choice = {}, afterMs = 0 } = scene;
  const isSubmitted = attempts.length > 0 || scene.deposit !== undefined;
  return viewOf({
    record: {
      session: { ...session, ...scene.session, ...(isSubmitted ? { transactionId: 1001 } : {}) },
      deposit: isSubmitted ? { ...deposit, ...scene.deposit } : null,
      attempts,
    },
    merchant: merchantNamed('M1', {
      siteUrl: SHOP,
      successUrl: `${SHOP}/paid`,
      failUrl: `${SHOP}/failed`,
      ...scene.merchant,
    }),
    rails: scene.rails ?? rails,
    banks: [{ bankId: 'aareal', name: 'Aareal Bank', country: 'DE', bic: '' }],
    choice,
    now: NOW + afterMs,
  });
}

const kindOf = (scene?: Scene) => view(scene).kind;

function viewAs<Kind extends PageView['kind']>(kind: Kind, scene?: Scene): ViewOf<Kind> {
  const shown = view(scene);
  assert.equal(shown.kind, kind);
  return shown as ViewOf<Kind>;
}

const acting = (step: PayerStep) => attempt({ state: 'acting', step });
const REDIRECT: PayerStep = { kind: 'redirect', url: 'https://bank.example/' };

describe('a form page before the first attempt', () => {
  it('a form page lets the payer choose unless the payment type is decided', () => {
    assert.deepEqual(viewAs('choose').types, ['card', 'open_banking', 'bank_transfer_iframe']);
    const only = rails.filter(({ paymentType }) => paymentType === 'card');
    assert.equal(kindOf({ rails: only }), 'card');
    const preferred = { merchant: { settings: { 'default_payment_type.EUR': 'card' } } };
    assert.equal(viewAs('card', preferred).hasOtherTypes, true);
    assert.equal(kindOf({ ...preferred, choice: { type: 'choose' } }), 'choose');
    assert.equal(kindOf({ ...preferred, choice: { type: 'bank_transfer_iframe' } }), 'details');
    assert.equal(kindOf({ choice: { type: 'e_transfer' } }), 'choose', 'the type does not take this currency');
  });

  it('a form page asks for the bank first, then for the details that the rail still needs', () => {
    assert.deepEqual(viewAs('card', { choice: { type: 'card' } }).details.fields, ['first_name']);
    assert.equal(kindOf({ choice: { type: 'open_banking' } }), 'bank');
    assert.equal(kindOf({ choice: { type: 'open_banking', bankId: 'nobody' } }), 'bank');
    assert.equal(kindOf({ choice: { type: 'open_banking', bankId: 'aareal' } }), 'details');
    const named = { ...session.parameters, bank_id: 'aareal' };
    assert.equal(viewAs('details', { session: { parameters: named } }).hasOtherTypes, false);
  });

  it('a form page shows a problem if there is no way to pay, and an expiry after the deadline', () => {
    assert.deepEqual(viewAs('problem', { rails: [] }).problem, 'method_unavailable');
    assert.deepEqual(viewAs('problem', { merchant: { state: 'suspended' } }).problem, 'merchant_unavailable');
    const expired = viewAs('expired', { afterMs: HOUR_MS });
    assert.match(expired.returnUrl ?? '', /^https:\/\/shop\.example\/failed\?order_no=N17.*co_inv_st=canceled$/);
    assert.doesNotMatch(expired.returnUrl ?? '', /co_inv_id/);
    assert.equal(kindOf({ choice: { isCancelled: true } }), 'cancelled');
  });
});

describe('a form page during an attempt', () => {
  it('a form page during an attempt shows the payer’s step', () => {
    const post = { kind: 'post', url: 'https://acs.example/', fields: {} } as const;
    const steps: [PayerStep, PageView['kind']][] = [
      [REDIRECT, 'leave'],
      [{ kind: 'frame', url: 'https://bank.example/' }, 'frame'],
      [{ ...post, purpose: 'fingerprint' }, 'fingerprint'],
      [{ ...post, purpose: 'challenge' }, 'challenge'],
      [{ kind: 'code', text: '0002' }, 'code'],
      [{ kind: 'elsewhere', at: 'bank_message' }, 'bank_message'],
    ];
    for (const [step, kind] of steps) assert.equal(kindOf({ attempts: [acting(step)] }), kind);
  });

  it('a form page masks the payer’s email address', () => {
    const shown = viewAs('bank_message', { attempts: [acting({ kind: 'elsewhere', at: 'bank_message' })] });
    assert.equal(shown.email, 'a•••@example.com');
  });

  it('a form page does not show a contact that received no message', () => {
    const attempts = [acting({ kind: 'elsewhere', at: 'bank_message' })];
    const parameters = { ...session.parameters, email: '', phone: '14165550123' };
    const byEmail = viewAs('bank_message', { attempts, session: { parameters } });
    assert.deepEqual([byEmail.email, byEmail.phone], ['', '']);
    const byPhone = rails.map((rail) => ({ ...rail, needs: ['phone'] as const }));
    const shown = viewAs('bank_message', { attempts, session: { parameters }, rails: byPhone });
    assert.deepEqual([shown.email, shown.phone], ['', '•••123']);
  });

  it('a form page during an attempt shows what it waits for, whatever its URL requests', () => {
    const states: [Partial<RecordedAttempt>, string][] = [
      [{ state: 'starting' }, 'confirmation'],
      [{ state: 'unknown' }, 'confirmation'],
      [{ state: 'deciding' }, 'bank'],
      [{ state: 'deciding', isAuthorised: true }, 'settlement'],
      [{ state: 'paid' }, 'confirmation'],
    ];
    for (const [change, awaits] of states) {
      const waiting = viewAs('waiting', {
        attempts: [attempt(change)],
        choice: { type: 'card', after: 1, isCancelled: true },
      });
      assert.deepEqual([waiting.awaits, waiting.payment.canCancel], [awaits, false]);
    }
    assert.equal(
      viewAs('waiting', { attempts: [acting(REDIRECT)], afterMs: HOUR_MS }).awaits,
      'confirmation',
      'too late',
    );
  });

  it('a form page redirects the payer to success_url while authorised money is pending', () => {
    const authorised = attempt({ state: 'deciding', isAuthorised: true, asks: 1 });
    assert.match(viewAs('going_back', { attempts: [authorised] }).returnUrl, /paid\?.*co_inv_st=success/);
    assert.equal(kindOf({ attempts: [authorised], merchant: { successUrl: null } }), 'waiting');
  });

  it('a form page during an attempt offers another way only if there is another way', () => {
    const can = (scene: Scene) => viewAs('leave', { attempts: [acting(REDIRECT)], ...scene }).payment.canChangeWay;
    assert.equal(can({}), true);
    assert.equal(can({ merchant: { settings: { form_attempts: '1' } } }), false);
    const bank = attempt({ paymentType: 'open_banking', state: 'acting', step: REDIRECT });
    const another = (scene: Scene) => viewAs('leave', { attempts: [bank], ...scene }).payment.canChangeBank;
    assert.deepEqual([another({}), another({ merchant: { settings: { form_attempts: '1' } } })], [true, false]);
    assert.equal(can({ session: { parameters: { ...session.parameters, payment_type: 'card' } } }), false);
  });

  it('a form page shows an open attempt rather than a later, finished attempt', () => {
    const old = attempt({ state: 'deciding' });
    assert.equal(kindOf({ attempts: [old, attempt({ attempt: 2 })] }), 'waiting');
  });
});

describe('a form page after a declined attempt', () => {
  const refused = attempt();

  it('a form page after a decline offers a retry or another way, whichever is left', () => {
    const shown = viewAs('refused', { attempts: [refused] });
    assert.deepEqual([shown.canRetry, shown.hasOtherTypes, shown.attemptsLeft, shown.returnUrl], [true, true, 4, null]);
    const forGood = viewAs('refused', { attempts: [attempt({ canRetry: false })] });
    assert.deepEqual([forGood.canRetry, forGood.hasOtherTypes], [false, true]);
  });

  it('a form page after a decline links back to the shop if no way to pay is left', () => {
    for (const settings of [{ form_attempts: '1' }, { form_other_type: 'off' }]) {
      const shown = viewAs('refused', { attempts: [attempt({ canRetry: false })], merchant: { settings } });
      assert.deepEqual([shown.canRetry, shown.hasOtherTypes], [false, false]);
      assert.match(shown.returnUrl ?? '', /failed\?.*co_inv_id=1001&co_inv_st=canceled/);
    }
  });

  it('a form page lets the payer retry only after the decline that they saw', () => {
    const again = { type: 'card', after: 1 } as const;
    assert.equal(kindOf({ attempts: [refused], choice: again }), 'card');
    assert.equal(kindOf({ attempts: [refused, attempt({ attempt: 2 })], choice: again }), 'refused');
    assert.equal(kindOf({ attempts: [attempt({ canRetry: false })], choice: again }), 'choose');
    assert.equal(kindOf({ attempts: [refused], choice: again, afterMs: HOUR_MS }), 'expired');
  });

  it('a form page asks for all details again if the bank rejected them', () => {
    const other = attempt({ refusal: 'payer_details' });
    const asked = viewAs('card', { attempts: [other], choice: { type: 'card', after: 1 } });
    assert.deepEqual([asked.details.fields, asked.details.values], [['email', 'first_name'], {}]);
  });

  it('a form page after an abandoned attempt offers the choice again', () => {
    assert.equal(kindOf({ attempts: [attempt({ state: 'abandoned', refusal: null })] }), 'choose');
  });
});

describe('the test badge of a form page', () => {
  const real = rails.map((rail) => ({ ...rail, simulated: false }));
  const isTest = (scene: Scene) => (view(scene) as ViewOf<'choose'>).payment.isTest;

  it('a form page is marked as a test unless real money may move', () => {
    assert.equal(isTest({}), true);
    assert.equal(isTest({ rails: real }), false);
    assert.equal(isTest({ rails: [...real.slice(1), ...rails.slice(0, 1)] }), false);
    assert.equal(isTest({ merchant: { state: 'test' } }), true);
  });

  it('the test badge of a form page depends on the attempt’s rail, not on the other rails', () => {
    const mixed = rails.map((rail) => ({ ...rail, simulated: rail.paymentType === 'card' }));
    assert.equal(isTest({ rails: mixed, attempts: [attempt()] }), true);
    assert.equal(isTest({ rails: mixed, attempts: [attempt({ rail: 'rail-open_banking' })] }), false);
  });
});

describe('a form page of a finished payment', () => {
  it('a form page of a finished payment shows the result and links back to the shop', () => {
    const end = { state: 'success', received: 1_300n, finishedAt: NOW } as const;
    const card = { state: 'paid', cardMask: '411111******1111' } as const;
    const paid = viewAs('paid', { deposit: end, attempts: [attempt(), attempt({ attempt: 2, ...card })] });
    assert.deepEqual(paid.receipt, {
      transactionId: 1001,
      money: { currency: 'EUR', minor: 1_300n },
      paidAt: NOW,
      paymentType: 'card',
      card: { network: 'Visa', lastFour: '1111' },
      wallet: null,
    });
    assert.match(paid.returnUrl ?? '', /paid\?.*co_inv_id=1001&co_inv_st=success/);
    assert.equal(paid.payment.expiresAt, null);
    const failed = (failReason: 'declined' | 'cancelled' | 'expired' | 'displaced') =>
      view({ deposit: { state: 'fail', failReason }, attempts: [attempt()] });
    assert.deepEqual(
      [failed('declined').kind, failed('cancelled').kind, failed('expired').kind, failed('displaced').kind],
      ['refused', 'cancelled', 'expired', 'problem'],
    );
    const declined = viewAs('refused', { deposit: { state: 'fail', failReason: 'declined' }, attempts: [attempt()] });
    assert.deepEqual([declined.canRetry, declined.attemptsLeft, declined.payment.canCancel], [false, 0, false]);
  });

  it('a form page never states that nothing was charged while an attempt may have money', () => {
    for (const failReason of ['declined', 'cancelled', 'expired', 'displaced'] as const) {
      for (const state of ['paid', 'deciding', 'unknown', 'starting'] as const) {
        const attempts = [attempt({ state }), attempt({ attempt: 2 })];
        assert.equal(kindOf({ deposit: { state: 'fail', failReason }, attempts }), 'expired', `${failReason} ${state}`);
      }
    }
  });
});

describe('the version of a form page', () => {
  const record = (attempts: readonly RecordedAttempt[]) => ({ session, deposit, attempts });

  it('a page’s version changes whenever the payer would see something else', () => {
    const shown = [
      versionOf({ session, deposit: null, attempts: [] }, NOW),
      versionOf({ session, deposit: null, attempts: [] }, NOW + HOUR_MS),
      versionOf(record([attempt({ state: 'starting' })]), NOW),
      versionOf(record([acting(REDIRECT)]), NOW),
      versionOf(record([acting({ kind: 'code', text: 'x' })]), NOW),
      versionOf(record([attempt({ state: 'deciding' })]), NOW),
      versionOf(record([attempt({ state: 'deciding', isAuthorised: true })]), NOW),
      versionOf(record([attempt({ state: 'deciding', isAuthorised: true, asks: 1 })]), NOW),
      versionOf(record([attempt()]), NOW),
      versionOf(record([attempt(), attempt({ attempt: 2 })]), NOW),
      versionOf({ ...record([attempt()]), deposit: { ...deposit, state: 'fail', failReason: 'cancelled' } }, NOW),
    ];
    assert.equal(new Set(shown).size, shown.length);
    for (const version of shown) assert.match(version, /^[0-9a-f]{24}$/);
  });

  it('a page’s version stays the same while the gateway polls the provider about a payer’s step', () => {
    const asked = (asks: number) => versionOf(record([{ ...acting(REDIRECT), askAt: NOW + asks, asks }]), NOW + asks);
    assert.equal(asked(0), asked(1));
    assert.equal(asked(1), asked(2));
  });

  it('a page listens for changes only while it may still change', () => {
    assert.equal(isLive({ session, deposit: null, attempts: [] }), false);
    assert.equal(isLive(record([acting(REDIRECT)])), true);
    assert.equal(isLive(record([attempt()])), false);
    assert.equal(isLive({ ...record([attempt({ state: 'paid' })]), deposit: { ...deposit, state: 'success' } }), false);
  });
});
