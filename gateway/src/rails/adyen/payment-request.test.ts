/** Checks the requests to Adyen field by field. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../foundation/secret.ts';
import type { KeptStep } from './kept-step.ts';
import {
  readMerchantReference,
  writeChallengeResult,
  writeFingerprint,
  writePayment,
  writeRefund,
  writeReturned,
} from './payment-request.ts';
import { adyenOrder, paymentCard, RETURN_URL, withoutJavaScript } from './rail-under-test.ts';

const account = { merchantAccount: 'GatewayECOM' };
const card = paymentCard('4111111111111111');
const written = (...change: Parameters<typeof adyenOrder>) =>
  JSON.parse(writePayment(adyenOrder(...change), card, account));
const byWallet = (wallet: 'apple_pay' | 'google_pay') => {
  const token = new Secret('{"data":"sealed"}');
  return JSON.parse(writePayment(adyenOrder(), { wallet, token, sealedPart: token }, account));
};
const unpacked = (text: string) => JSON.parse(Buffer.from(text, 'base64').toString());

const fingerprint: Extract<KeptStep, { stage: 'fingerprint' }> = {
  stage: 'fingerprint',
  number: 1,
  paymentData: 'state',
  url: 'https://bank.example/method',
  serverTransId: 'a',
};
const challenge: Extract<KeptStep, { stage: 'challenge' }> = {
  stage: 'challenge',
  number: 2,
  paymentData: 'state',
  url: 'https://bank.example/challenge',
  serverTransId: 'a',
  acsTransId: 'b',
  messageVersion: '2.2.0',
  authorisationToken: 'token',
};
const redirect: KeptStep = {
  stage: 'redirect',
  number: 1,
  paymentData: '',
  url: 'https://adyen.example/r',
  data: null,
};

describe('a payment request to Adyen', () => {
  it('a payment request to Adyen contains a wallet’s token and no card', () => {
    assert.deepEqual(byWallet('google_pay').paymentMethod, { type: 'googlepay', googlePayToken: '{"data":"sealed"}' });
    const { paymentMethod, amount } = byWallet('apple_pay');
    assert.deepEqual(unpacked(paymentMethod.applePayToken), { data: 'sealed' });
    assert.deepEqual([paymentMethod.type, amount], ['applepay', { currency: 'EUR', value: 1_050 }]);
  });

  it('a payment request to Adyen contains the card, the amount in minor units and the return URL', () => {
    const { paymentMethod, amount, returnUrl, origin, reference, merchantAccount, threeDS2RequestData } = written({
      reference: '7-AbCd1234',
      money: { currency: 'KZT', minor: 123_456n },
    });
    assert.deepEqual(paymentMethod, {
      type: 'scheme',
      number: '4111111111111111',
      cvc: '737',
      expiryMonth: '03',
      expiryYear: '2030',
      holderName: 'Olena Shevchenko',
    });
    assert.deepEqual(amount, { currency: 'KZT', value: 123_456 });
    assert.deepEqual([reference, merchantAccount], ['7-AbCd1234', 'GatewayECOM']);
    assert.deepEqual([returnUrl, origin], [RETURN_URL, 'http://127.0.0.1:8080']);
    assert.deepEqual(threeDS2RequestData, { notificationURL: RETURN_URL });
  });

  it('a payment request to Adyen requests a native flow with JavaScript and a redirect without it', () => {
    assert.equal(written().authenticationData.threeDSRequestData.nativeThreeDS, 'preferred');
    const { authenticationData, browserInfo } = written({}, withoutJavaScript());
    assert.equal(authenticationData.threeDSRequestData.nativeThreeDS, 'disabled');
    assert.equal(browserInfo.javaScriptEnabled, false);
    for (const name of ['screenWidth', 'screenHeight', 'colorDepth']) assert.ok(browserInfo[name] > 0, name);
  });

  it('a payment request to Adyen contains the nearest colour depth that Adyen supports', () => {
    const { browser } = adyenOrder().payer;
    assert.equal(written({}, { browser: { ...browser, colorDepth: 36 } }).browserInfo.colorDepth, 32);
  });

  it('a payment request to Adyen contains a complete address or none', () => {
    assert.deepEqual(written().billingAddress, {
      street: 'Khreshchatyk',
      houseNumberOrName: '22a',
      city: 'Kyiv',
      postalCode: '01001',
      country: 'UA',
    });
    assert.equal(written({}, { address: 'Rose Cottage' }).billingAddress.houseNumberOrName, 'N/A');
    for (const part of ['address', 'city', 'postCode', 'country'] as const)
      assert.equal(written({}, { [part]: '' }).billingAddress, undefined, part);
    const american = { country: 'US', region: 'ca' };
    assert.equal(written({}, american).billingAddress.stateOrProvince, 'CA');
    assert.equal(written({}, { ...american, region: 'California' }).billingAddress, undefined);
    assert.ok(!('stateOrProvince' in written({}, { region: 'Kyiv City' }).billingAddress));
  });

  it('a payment request to Adyen omits unknown fields and fields that Adyen would reject', () => {
    const bare = written({}, { email: '', phone: '0501234567', lastName: '', country: '', ip: '' });
    for (const name of ['shopperEmail', 'telephoneNumber', 'shopperName', 'countryCode', 'shopperIP'])
      assert.ok(!(name in bare), name);
  });

  it('a payment request to Adyen puts only allowed characters on the payer’s statement', () => {
    assert.equal(
      written({ merchantName: 'Café "Ünïque" Möbel & Söhne GmbH' }).shopperStatement,
      'Cafe Unique Mobel Sohn',
    );
    assert.equal(written({ merchantName: 'Крамниця' }).shopperStatement, 'Payment');
  });

  it('an Adyen payment card never shows its data in logs or JSON', () => {
    assert.doesNotMatch(inspect(card) + JSON.stringify(card), /4111|737|03\/30/);
  });
});

describe('requests to Adyen after a payer’s return', () => {
  it('the result of a fingerprint step tells Adyen whether the bank saw the browser', () => {
    const { paymentData, details } = JSON.parse(writeFingerprint(fingerprint, 'U'));
    assert.equal(paymentData, 'state');
    assert.deepEqual(unpacked(details['threeds2.fingerprint']), { threeDSCompInd: 'U' });
    const nothing = JSON.parse(writeReturned(fingerprint, {}) ?? '');
    assert.deepEqual(unpacked(nothing.details['threeds2.fingerprint']), { threeDSCompInd: 'N' });
  });

  it('a challenge’s result contains Adyen’s token, or Adyen’s state if there is no token', () => {
    const withToken = JSON.parse(writeChallengeResult(challenge, 'Y'));
    assert.deepEqual(Object.keys(withToken), ['details']);
    assert.deepEqual(unpacked(withToken.details.threeDSResult), { transStatus: 'Y', authorisationToken: 'token' });
    const without = JSON.parse(writeChallengeResult({ ...challenge, authorisationToken: '' }, 'N'));
    assert.equal(without.paymentData, 'state');
    assert.deepEqual(unpacked(without.details['threeds2.challengeResult']), { transStatus: 'N' });
    assert.equal(writeReturned(challenge, { redirectResult: 'x' }), undefined);
  });

  it('the result of an Adyen redirect is forwarded in the old or the new format, without other fields', () => {
    assert.deepEqual(JSON.parse(writeReturned(redirect, { redirectResult: 'r!', other: 'x' }) ?? ''), {
      details: { redirectResult: 'r!' },
    });
    assert.deepEqual(JSON.parse(writeReturned({ ...redirect, paymentData: 'state' }, { MD: 'm', PaRes: 'p' }) ?? ''), {
      details: { MD: 'm', PaRes: 'p' },
      paymentData: 'state',
    });
    for (const fields of [{}, { MD: 'm' }, { redirectResult: 'x'.repeat(20_001) }])
      assert.equal(writeReturned(redirect, fields), undefined);
  });
});

describe('refund requests to Adyen', () => {
  it('a refund request to Adyen has a reference that contains the payment’s', () => {
    const payment = adyenOrder({ reference: '7-AbCd1234' });
    const refund = writeRefund(
      { payment, reference: '8-EfGh5678', money: { currency: 'EUR', minor: 500n }, startedAt: payment.startedAt },
      account,
    );
    const { reference, amount } = JSON.parse(refund);
    assert.deepEqual(amount, { currency: 'EUR', value: 500 });
    assert.deepEqual(readMerchantReference(reference), { payment: '7-AbCd1234', refund: '8-EfGh5678' });
    assert.deepEqual(readMerchantReference('7-AbCd1234'), { payment: '7-AbCd1234', refund: '' });
    const ofPayout = 'P0123456789ABCDEF0123456789AB';
    assert.deepEqual(readMerchantReference(`7-AbCd1234/${ofPayout}`), { payment: '7-AbCd1234', refund: ofPayout });
    for (const text of ['', 'order 12', '7-AbCd1234/', '7-AbCd1234:x', '-AbCd1234'])
      assert.equal(readMerchantReference(text), undefined, text);
  });
});
