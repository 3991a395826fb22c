/** Runs each kind of card payment against Adyen's simulator over HTTP, without network faults. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { cardRefusedFor, madeUpCard } from '../../../../rail-simulators/src/adyen/cards.ts';
import {
  assertPaid,
  assertRefused,
  kept,
  openAdyenScene,
  type Step,
  stepOf,
} from '../../../test/support/rails/adyen-scene.ts';
import { answerBank, beLookedAt } from '../../../test/support/rails/adyen-under-control.ts';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PayerReturn } from '../../domain/payments/payment-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import { adyenOrder, paymentCard, withoutJavaScript } from './rail-under-test.ts';

const PLAIN = '4111111111111111';
const FRICTIONLESS = '5201281505129736';
const BOTH = '4212345678910006';
const CHALLENGED = '5454545454545454';
const RIGHT_CODE = '123456';
const madeUp = (digits: string) => madeUpCard('1', digits);
const PENDING_PAID = madeUp('03');
const PENDING_REFUSED = madeUp('04');
const RECEIVED = madeUp('05');
const ERROR = madeUp('06');
const CANCELLED = madeUp('07');
const NO_METHOD = madeUp('08');
const CHALLENGED_POOR = madeUp('09');

const scene = await openAdyenScene();
const { adyen, rail, start, handleReturn, challenged, assertChargedOnce, assertNothingCharged } = scene;
beforeEach(() => adyen.reset());
after(() => scene.close());

describe('a card payment through Adyen', () => {
  it('an Adyen payment without authentication is paid immediately, and the webhook reports it as well', async () => {
    const order = adyenOrder();
    const answer = await start(order, PLAIN);
    assertPaid(answer);
    assert.ok(answer.kind === 'paid');
    assert.equal(answer.payerAccount, 'visa 1111');
    const news = await adyen.untilNotifiedOf(order.reference, 'paid');
    assert.deepEqual([news.money, news.providerReference], [answer.money, answer.providerReference]);
    await assertChargedOnce(order.reference);
  });

  it('an Adyen payment in each supported currency is sent in minor units', async () => {
    for (const currency of rail.currencies) {
      const order = adyenOrder({ money: { currency, minor: 123n } });
      const answer = await start(order, PLAIN);
      assert.ok(answer.kind === 'paid');
      assert.deepEqual(answer.money, { currency, minor: 123n });
    }
    const everywhere = Object.fromEntries([...rail.currencies].map((currency) => [currency, 123]));
    assert.deepEqual((await adyen.summary())['balance'], everywhere);
    assert.equal(rail.currencies.size, 8);
  });

  it('an Adyen payment with only a fingerprint is paid without a challenge', async () => {
    const order = adyenOrder();
    const answer = stepOf(await start(order, FRICTIONLESS));
    await assertNothingCharged();
    assertPaid(await handleReturn(kept(order, answer), await beLookedAt(answer.step)));
    await assertChargedOnce(order.reference);
  });

  it('an Adyen payment continues if the bank did not receive the browser’s fingerprint in time', async () => {
    const order = adyenOrder();
    const answer = stepOf(await start(order, FRICTIONLESS));
    assertPaid(await handleReturn(kept(order, answer), { fields: {} }));
  });

  it('an Adyen payment has no fingerprint step if the bank wants none', async () => {
    const order = adyenOrder();
    assertPaid(await start(order, NO_METHOD));
    await assertChargedOnce(order.reference);
  });

  it('an Adyen payment with a fingerprint and a challenge is paid after the correct code', async () => {
    const order = adyenOrder();
    const first = stepOf(await start(order, BOTH));
    const looked = kept(order, first);
    const second = stepOf(await handleReturn(looked, await beLookedAt(first.step)));
    await assertNothingCharged();
    assertPaid(await handleReturn(kept(looked, second), await answerBank(second.step, RIGHT_CODE)));
    await assertChargedOnce(order.reference);
  });

  it('an Adyen payment is paid after two wrong codes and the correct code', async () => {
    const { order, step } = await challenged();
    assertPaid(await handleReturn(order, await answerBank(step, '000000', '1', RIGHT_CODE)));
  });

  it('an Adyen payment is declined after three wrong codes, or after the payer cancelled', async () => {
    for (const answers of [['1', '2', '3'], ['cancel']]) {
      const { order, step } = await challenged();
      assertRefused(await handleReturn(order, await answerBank(step, ...answers)), 'authentication_failed');
    }
    await assertNothingCharged();
  });

  it('a bank may still decline an Adyen payment after authentication', async () => {
    const { order, step } = await challenged(CHALLENGED_POOR);
    assertRefused(await handleReturn(order, await answerBank(step, RIGHT_CODE)), 'insufficient_funds');
  });

  it('a payer without JavaScript pays through an Adyen redirect', async () => {
    for (const [number, answers] of [
      [FRICTIONLESS, []],
      [BOTH, [RIGHT_CODE]],
    ] as const) {
      await adyen.reset();
      const order = adyenOrder({}, withoutJavaScript());
      const answer = stepOf(await start(order, number));
      assert.equal(answer.step.kind, 'redirect');
      assert.notEqual(answer.providerReference, '');
      const returned = answers.length > 0 ? await answerBank(answer.step, ...answers) : await returnedByItself(answer);
      assertPaid(await handleReturn(kept(order, answer), returned));
      await assertChargedOnce(order.reference);
    }
  });

  async function returnedByItself({ step }: Step): Promise<PayerReturn> {
    assert.ok(step.kind === 'redirect');
    const response = await fetch(step.url, { redirect: 'manual' });
    return { fields: Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams) };
  }

  it('a redirected Adyen payment is declined if the payer cancels at the bank', async () => {
    const order = adyenOrder({}, withoutJavaScript());
    const answer = stepOf(await start(order, CHALLENGED));
    const returned = await answerBank(answer.step, 'cancel');
    assertRefused(await handleReturn(kept(order, answer), returned), 'authentication_failed');
  });
});

describe('refusals of Adyen', () => {
  const refusals: readonly (readonly [code: string, refusal: string, canRetry: boolean])[] = [
    ['2', 'declined', true],
    ['5', 'declined', true],
    ['6', 'expired_card', true],
    ['8', 'wrong_card_data', true],
    ['11', 'authentication_failed', true],
    ['12', 'insufficient_funds', true],
    ['14', 'suspected_fraud', false],
    ['16', 'cancelled_by_payer', true],
    ['20', 'suspected_fraud', false],
    ['24', 'wrong_card_data', true],
    ['28', 'limit', true],
    ['31', 'suspected_fraud', false],
    ['32', 'payer_details', true],
    ['38', 'authentication_failed', true],
  ];
  for (const [code, refusal, canRetry] of refusals) {
    it(`Adyen’s reason ${code} is read as ${refusal}, in the response and in the webhook`, async () => {
      const order = adyenOrder();
      const answer = await start(order, cardRefusedFor(code));
      assertRefused(answer, refusal);
      assert.equal(answer.kind === 'refused' && answer.canRetry, canRetry);
      const news = await adyen.untilNotifiedOf(order.reference, 'refused');
      assert.deepEqual([news.refusal, news.canRetry], [refusal, canRetry]);
      await assertNothingCharged();
    });
  }

  it('Adyen’s results Error and Cancelled are read as declined', async () => {
    assertRefused(await start(adyenOrder(), ERROR), 'declined');
    assertRefused(await start(adyenOrder(), CANCELLED), 'declined');
    await assertNothingCharged();
  });

  it('Adyen declines invalid card data without a request to a bank', async () => {
    const order = adyenOrder();
    const card = paymentCard(PLAIN);
    for (const [change, refusal] of [
      [{ number: new Secret('4111111111111112') }, 'wrong_card_data'],
      [{ cvv: new Secret('12') }, 'wrong_card_data'],
      [{ expiry: new Secret('01/20') }, 'expired_card'],
    ] as const)
      assertRefused(
        await rail.start({ ...order, reference: adyenOrder().reference }, { ...card, ...change }, noDeadline()),
        refusal,
      );
    assert.equal((await adyen.summary())['payments'], 0);
  });
});

describe('delayed decisions of Adyen', () => {
  it('a payment that Adyen decides later is pending until the webhook', async () => {
    for (const [number, kind] of [
      [PENDING_PAID, 'paid'],
      [RECEIVED, 'paid'],
      [PENDING_REFUSED, 'refused'],
    ] as const) {
      const order = adyenOrder();
      const answer = await start(order, number);
      assert.ok(answer.kind === 'pending');
      const waiting = { ...order, kept: answer.keep, providerReference: answer.providerReference };
      assert.equal((await rail.ask(waiting, noDeadline())).kind, 'pending');
      await adyen.untilNotifiedOf(order.reference, kind);
    }
  });
});

describe('returns that do not belong to the step', () => {
  it('a return of another step leaves the payment unchanged and is not sent to Adyen', async () => {
    const { order } = await challenged();
    const other = await challenged();
    const othersReturn = await answerBank(other.step, RIGHT_CODE);
    for (const fields of [{}, { cres: 'x' }, { threeDSMethodData: 'x' }, { redirectResult: 'x' }, othersReturn.fields])
      assert.equal((await handleReturn(order, { fields })).kind, 'no_effect');
    assert.deepEqual(await adyen.story(order.reference), ['opened']);
    await assertNothingCharged();
  });

  it('an invalid return leaves a redirected payment payable if Adyen rejects it', async () => {
    const opened = adyenOrder({}, withoutJavaScript());
    const answer = stepOf(await start(opened, CHALLENGED));
    const order = kept(opened, answer);
    for (const redirectResult of ['x', '<script>', 'eyJ0cmFuc1N0YXR1cyI6IlkifQ=='])
      assert.equal((await handleReturn(order, { fields: { redirectResult } })).kind, 'no_effect');
    await assertNothingCharged();
    assertPaid(await handleReturn(order, await answerBank(answer.step, RIGHT_CODE)));
  });

  it('a CRes that the payer invented does not pay an Adyen payment, because the bank must confirm it', async () => {
    const { order, step } = await challenged();
    assert.ok(step.kind === 'post');
    const creq = JSON.parse(Buffer.from(step.fields['creq'] ?? '', 'base64url').toString());
    const { threeDSServerTransID, acsTransID, messageVersion } = creq;
    const invented = { threeDSServerTransID, acsTransID, messageVersion, messageType: 'CRes', transStatus: 'Y' };
    const cres = Buffer.from(JSON.stringify(invented)).toString('base64url');
    assertRefused(await handleReturn(order, { fields: { cres } }), 'authentication_failed');
    await assertNothingCharged();
  });
});

it('the Adyen rail neither keeps card data with an attempt nor returns it', async () => {
  const order = adyenOrder();
  const answer = stepOf(await start(order, BOTH));
  // Tokens and ports may contain three equal digits by chance. A security code would be a separate word.
  assert.doesNotMatch(JSON.stringify(answer), /4212345678910006|\b737\b/);
});
