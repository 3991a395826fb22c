/** Reads responses from Adyen's OpenAPI description and public clients, and checks what each proves. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Reading, readDetails, readPayment } from './protocol.ts';
import { refusalOfCode, refusalOfText } from './vocabulary.ts';

const parts = {
  order: { reference: '7-AbCd1234', money: { currency: 'EUR', minor: 1_000n } },
  number: 1,
  simulated: false,
} as const;
const read = (body: unknown, status = 200, change: object = {}): Reading =>
  readPayment(status, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), { ...parts, ...change });
const token = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64');

const authorised = {
  additionalData: { cardSummary: '1111' },
  pspReference: '993617895204576J',
  resultCode: 'Authorised',
  amount: { currency: 'EUR', value: 1000 },
  merchantReference: '7-AbCd1234',
  paymentMethod: { brand: 'visa', type: 'scheme' },
};

describe('results of an Adyen payment', () => {
  it('an Adyen response Authorised is paid in our amount', () => {
    assert.deepEqual(read(authorised), {
      kind: 'paid',
      money: { currency: 'EUR', minor: 1_000n },
      payerAccount: 'visa 1111',
      providerReference: '993617895204576J',
    });
  });

  it('an Adyen response Authorised is unknown without our reference, the amount or Adyen’s reference', () => {
    for (const name of ['merchantReference', 'amount', 'pspReference'] as const) {
      const { [name]: _, ...without } = authorised;
      assert.equal(read(without).kind, 'unknown', name);
      assert.equal(readDetails(200, Buffer.from(JSON.stringify(without)), parts).kind, 'unknown', name);
    }
  });

  it('an Adyen response about a different amount or payment leaves the outcome unknown', () => {
    for (const change of [
      { amount: { currency: 'EUR', value: 999 } },
      { amount: { currency: 'USD', value: 1000 } },
      { amount: { currency: 'EUR', value: '1e3' } },
      { amount: null },
      { merchantReference: '8-AbCd1234' },
      { pspReference: '' },
      { pspReference: '<script>' },
    ])
      assert.equal(read({ ...authorised, ...change }).kind, 'unknown', JSON.stringify(change));
  });

  it('an Adyen response Refused, Error or Cancelled is a decline with the reason of its code', () => {
    const refused = (resultCode: string, refusalReasonCode: string, refusalReason: string) =>
      read({ pspReference: 'P1', resultCode, refusalReasonCode, refusalReason });
    assert.deepEqual(refused('Refused', '12', 'Not enough balance'), {
      kind: 'refused',
      refusal: 'insufficient_funds',
      canRetry: true,
      detail: 'Refused 12 Not enough balance',
      providerReference: 'P1',
    });
    const { kind, refusal, canRetry } = refused('Refused', '20', 'FRAUD') as Extract<Reading, { kind: 'refused' }>;
    assert.deepEqual([kind, refusal, canRetry], ['refused', 'suspected_fraud', false]);
    assert.equal(refused('Error', '4', 'Acquirer Error').kind, 'refused');
    assert.equal(refused('Cancelled', '15', 'Cancelled').kind, 'refused');
  });

  it('an Adyen response Pending or Received is pending', () => {
    for (const resultCode of ['Pending', 'Received'])
      assert.deepEqual(read({ resultCode, pspReference: 'P1' }), {
        kind: 'pending',
        isAuthorised: false,
        keep: 'waiting',
        providerReference: 'P1',
      });
  });

  it('an Adyen result that the rail never requests is unknown', () => {
    for (const resultCode of [
      'PartiallyAuthorised',
      'AuthenticationFinished',
      'PresentToShopper',
      'Success',
      '',
      'toString',
    ])
      assert.equal(read({ ...authorised, resultCode }).kind, 'unknown', resultCode);
  });
});

describe('actions of an Adyen payment', () => {
  const fingerprint = {
    resultCode: 'IdentifyShopper',
    action: {
      paymentData: 'Ab02b4c0!BQABAgCuZFJrQOjSsl',
      paymentMethodType: 'scheme',
      authorisationToken: 'Ab02b4c0!BQABAgAvrX03p',
      subtype: 'fingerprint',
      token: token({
        threeDSMessageVersion: '2.2.0',
        threeDSMethodNotificationURL: 'https://checkoutshopper-test.adyen.com/x',
        threeDSMethodUrl: 'https://pal-test.adyen.com/threeds2simulator/acs/startMethod.shtml',
        threeDSServerTransID: 'f47e7037-9067-4f9b-89ef-595899a59968',
      }),
      type: 'threeDS2',
    },
  };
  const challengeToken = {
    acsTransID: 'b',
    acsURL: 'https://pal-test.adyen.com/threeds2simulator/acs/challenge.shtml',
    messageVersion: '2.2.0',
    threeDSNotificationURL: 'https://checkoutshopper-test.adyen.com/y',
    threeDSServerTransID: 'a',
  };
  const challenge = {
    resultCode: 'ChallengeShopper',
    action: {
      authorisationToken: 't',
      paymentData: 'd',
      subtype: 'challenge',
      token: token(challengeToken),
      type: 'threeDS2',
    },
  };
  const redirect = {
    resultCode: 'RedirectShopper',
    pspReference: 'JLCMPCQ8HXSKGK82',
    action: {
      paymentMethodType: 'scheme',
      url: 'https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect',
      method: 'GET',
      type: 'redirect',
    },
  };

  it('an Adyen fingerprint action contains the bank’s address and the data for the next request', () => {
    const reading = read(fingerprint);
    assert.ok(reading.kind === 'next' && reading.step.stage === 'fingerprint');
    assert.equal(reading.step.url, 'https://pal-test.adyen.com/threeds2simulator/acs/startMethod.shtml');
    assert.equal(reading.step.serverTransId, 'f47e7037-9067-4f9b-89ef-595899a59968');
    assert.equal(reading.step.paymentData, 'Ab02b4c0!BQABAgCuZFJrQOjSsl');
  });

  it('an Adyen fingerprint action without an address has an empty one', () => {
    const reading = read({
      ...fingerprint,
      action: { ...fingerprint.action, token: token({ threeDSServerTransID: 'a' }) },
    });
    assert.ok(reading.kind === 'next' && reading.step.stage === 'fingerprint');
    assert.equal(reading.step.url, '');
  });

  it('a challenge action contains the ids of Adyen’s server and of the bank', () => {
    const reading = read(challenge);
    assert.ok(reading.kind === 'next');
    assert.deepEqual(reading.step, {
      stage: 'challenge',
      number: 1,
      paymentData: 'd',
      url: challengeToken.acsURL,
      serverTransId: 'a',
      acsTransId: 'b',
      messageVersion: '2.2.0',
      authorisationToken: 't',
    });
  });

  it('an Adyen redirect action uses GET, or POST with its fields', () => {
    const get = read(redirect);
    assert.ok(get.kind === 'next' && get.step.stage === 'redirect');
    assert.deepEqual([get.step.data, get.providerReference], [null, 'JLCMPCQ8HXSKGK82']);
    const data = { PaReq: 'p', MD: 'm', TermUrl: 'https://pay.example/r' };
    const post = read({ ...redirect, action: { ...redirect.action, method: 'POST', data } });
    assert.ok(post.kind === 'next' && post.step.stage === 'redirect');
    assert.deepEqual(post.step.data, data);
  });

  it('an Adyen action for a page without TLS is unknown, except at a simulator', () => {
    const insecure = { ...redirect, action: { ...redirect.action, url: 'http://checkoutshopper.example/r' } };
    assert.equal(read(insecure).kind, 'unknown');
    assert.equal(read(insecure, 200, { simulated: true }).kind, 'next');
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', ''])
      assert.equal(
        read({ ...redirect, action: { ...redirect.action, url } }, 200, { simulated: true }).kind,
        'unknown',
        url,
      );
  });

  it('an Adyen action that lacks a field or does not match the result is unknown', () => {
    const halfToken = { ...challengeToken, acsTransID: '' };
    for (const body of [
      { ...fingerprint, resultCode: 'ChallengeShopper' },
      { ...challenge, action: undefined },
      { ...challenge, action: { ...challenge.action, token: '%' } },
      { ...challenge, action: { ...challenge.action, token: token(halfToken) } },
      { ...fingerprint, action: { ...fingerprint.action, paymentData: undefined } },
      { ...redirect, action: { ...redirect.action, method: 'POST' } },
    ])
      assert.equal(read(body).kind, 'unknown', JSON.stringify(body));
  });
});

describe('errors of an Adyen payment', () => {
  const error = (status: number, errorCode: string, message = 'm') =>
    read({ status, errorCode, message, errorType: 'validation' }, status);

  it('an Adyen error about the request proves that Adyen accepted nothing', () => {
    assert.deepEqual(error(422, '14_030', 'Return URL is missing.'), {
      kind: 'not_accepted',
      reason: 'HTTP 422 14_030 Return URL is missing.',
    });
    for (const [status, code] of [
      [400, '702'],
      [401, '000'],
      [403, '901'],
    ] as const)
      assert.equal(error(status, code).kind, 'not_accepted', String(status));
  });

  it('an Adyen error about the payer’s input is a decline that the payer can correct', () => {
    for (const [code, refusal] of [
      ['101', 'wrong_card_data'],
      ['103', 'wrong_card_data'],
      ['129', 'expired_card'],
      ['140', 'expired_card'],
      ['181', 'payer_details'],
      ['916', 'limit'],
    ] as const) {
      const reading = error(422, code);
      assert.ok(reading.kind === 'refused' && reading.canRetry);
      assert.equal(reading.refusal, refusal);
    }
  });

  it('an Adyen server error or an unreadable response leaves the outcome unknown', () => {
    assert.equal(error(500, '905').kind, 'unknown');
    assert.equal(read('<html>', 502).kind, 'unknown');
    assert.equal(read('<html>', 403).kind, 'unknown');
    assert.equal(read('', 200).kind, 'unknown');
    assert.equal(read('{"resultCode":"Authorised"', 200).kind, 'unknown');
    assert.equal(read(authorised, 302).kind, 'unknown');
  });

  it('HTTP 408, 409, 425 and 429 from Adyen leave the outcome of a payment unknown', () => {
    for (const status of [408, 409, 425, 429]) assert.equal(error(status, '').kind, 'unknown', String(status));
  });

  it('Adyen’s error 704 means that an equal request is still in progress', () => {
    for (const status of [409, 422]) assert.equal(error(status, '704').kind, 'in_progress');
  });

  it('a definite rejection of a return proves only that Adyen did not execute the step', () => {
    for (const body of [JSON.stringify({ errorCode: '101', message: 'm' }), '<html>', ''])
      for (const status of [400, 401, 403, 404, 422])
        assert.deepEqual(readDetails(status, Buffer.from(body), parts), {
          kind: 'no_effect',
          reason: `HTTP ${status}`,
        });
  });

  it('an inconclusive response to a payer’s return at Adyen leaves the outcome unknown', () => {
    for (const status of [302, 408, 409, 425, 429, 500, 502])
      assert.equal(readDetails(status, Buffer.from('{}'), parts).kind, 'unknown', String(status));
  });
});

describe('Adyen’s table of refusals', () => {
  it('an Adyen refusal reason has the same meaning as a code and as a string', () => {
    for (const [code, text] of [
      ['6', 'Expired Card'],
      ['24', 'CVC Declined'],
      ['11', '3D Not Authenticated'],
      ['31', 'Issuer Suspected Fraud'],
    ] as const)
      assert.deepEqual(refusalOfCode(code), refusalOfText(text));
  });

  it('an unknown Adyen refusal reason is read as a plain decline', () => {
    for (const refusal of [refusalOfCode(''), refusalOfCode('99'), refusalOfText('05 : Do not honor')])
      assert.deepEqual(refusal, { refusal: 'declined', canRetry: true });
  });
});
