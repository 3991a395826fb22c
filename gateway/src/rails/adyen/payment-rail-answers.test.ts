/** Feeds responses to the rail that Adyen's simulator does not give, and checks the requests that follow. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { Secret } from '../../foundation/secret.ts';
import type { ProviderReply, ProviderRequest } from '../kit/provider-http.ts';
import { writeKept } from './kept-step.ts';
import { createAdyenPaymentRail } from './payment-rail.ts';
import { ADYEN_CLIENT, adyenOrder, paymentCard, RETURN_URL } from './rail-under-test.ts';

const answered = (status: number, body: unknown): ProviderReply => ({
  kind: 'answered',
  status,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const NO_ANSWER: ProviderReply = { kind: 'no_answer', reason: 'no response in time' };
const NO_CONNECTION: ProviderReply = { kind: 'not_connected', reason: 'no connection: ECONNREFUSED' };
const keyOf = (request: ProviderRequest | undefined) => request?.headers['idempotency-key'];
const error = (status: number, errorCode: string) => answered(status, { status, errorCode, message: 'm' });
/** Authorises the payment of any request. */
const authorised = answered(200, 'authorised');

function authorisedOf(request: ProviderRequest): ProviderReply {
  const [merchantReference = ''] = keyOf(request)?.split('.') ?? [];
  const amount = { currency: 'EUR', value: 1_050 };
  return answered(200, { resultCode: 'Authorised', pspReference: 'P1', merchantReference, amount });
}

/** Returns these responses in order and then repeats the last value. */
function railAgainst(...replies: readonly [ProviderReply, ...ProviderReply[]]) {
  const sent: ProviderRequest[] = [];
  const exchange = async (request: ProviderRequest) => {
    sent.push(request);
    const reply = replies[Math.min(sent.length, replies.length) - 1] ?? replies[0];
    return reply === authorised ? authorisedOf(request) : reply;
  };
  const { merchantAccount, apiKey, hmacKey } = ADYEN_CLIENT;
  const configuration = {
    url: 'https://checkout-test.adyen.com/v72',
    apiKey: new Secret(apiKey),
    merchantAccount,
    hmacKeys: [new Secret(hmacKey)],
    simulated: false,
  };
  const clock = { now: () => 0, sleep: async () => {} };
  const rail = createAdyenPaymentRail(configuration, {
    http: { exchange },
    hooks: { onCredentialRefused: () => {} },
    clock,
  });
  const start = (order = adyenOrder()) => rail.start(order, paymentCard('4111111111111111'), noDeadline());
  return { rail, sent, start };
}

const challenge = writeKept({
  stage: 'challenge',
  number: 2,
  paymentData: 'state',
  url: 'https://bank.example/challenge',
  serverTransId: 'a',
  acsTransId: 'b',
  messageVersion: '2.2.0',
  authorisationToken: 'token',
});
const cres = Buffer.from(
  JSON.stringify({ threeDSServerTransID: 'a', acsTransID: 'b', messageType: 'CRes', transStatus: 'Y' }),
).toString('base64url');
const resultIn = (request: ProviderRequest | undefined) =>
  JSON.parse(Buffer.from(JSON.parse(request?.body ?? '{}').details.threeDSResult, 'base64').toString());
describe('an Adyen payment whose first request got no response', () => {
  it('after an unanswered payment request to Adyen, a failed retry does not prove that no payment exists', async () => {
    for (const second of [NO_CONNECTION, error(401, '000'), error(422, '101'), error(422, '14_030'), error(400, '702')])
      assert.equal((await railAgainst(NO_ANSWER, second).start()).kind, 'unknown', JSON.stringify(second));
  });

  it('after an unanswered payment request to Adyen, a result of the retry is proof', async () => {
    for (const first of [NO_ANSWER, error(500, '905'), answered(502, '<html>'), error(422, '704'), error(409, '704')])
      assert.equal((await railAgainst(first, authorised).start()).kind, 'paid', JSON.stringify(first));
  });

  it('an HTTP 408, 409, 425 or 429 from Adyen leaves the outcome of a payment unknown', async () => {
    for (const first of [error(408, ''), error(409, ''), error(425, ''), error(429, '')]) {
      assert.equal((await railAgainst(first, authorised).start()).kind, 'paid');
      assert.equal((await railAgainst(first).start()).kind, 'unknown');
    }
  });

  it('an unanswered payment request is sent to Adyen three times with the same content and key', async () => {
    const { sent, start } = railAgainst(NO_ANSWER);
    const order = adyenOrder();
    assert.equal((await start(order)).kind, 'unknown');
    assert.equal(sent.length, 3);
    for (const request of sent) assert.deepEqual(request, sent[0]);
    assert.equal(keyOf(sent[0]), order.reference);
  });
});

describe('responses to an Adyen payment', () => {
  it('a payment request with a definite response from Adyen is not repeated', async () => {
    for (const reply of [authorised, error(422, '101'), error(401, '000'), NO_CONNECTION]) {
      const { sent, start } = railAgainst(reply);
      await start();
      assert.equal(sent.length, 1);
    }
  });

  it('an Adyen payment with an amount other than ours is never paid', async () => {
    const other = { resultCode: 'Authorised', pspReference: 'P1', amount: { currency: 'EUR', value: 1 } };
    assert.equal((await railAgainst(answered(200, other)).start()).kind, 'unknown');
  });

  it('a redirect from Adyen to a page without TLS is not shown to the payer', async () => {
    const action = { type: 'redirect', method: 'GET', url: 'http://adyen.example/' };
    assert.equal((await railAgainst(answered(200, { resultCode: 'RedirectShopper', action })).start()).kind, 'unknown');
  });

  it('the payer posts Adyen’s fields to the bank if Adyen’s redirect requires POST', async () => {
    const data = { MD: 'm', PaReq: 'p', TermUrl: RETURN_URL };
    const action = { type: 'redirect', method: 'POST', url: 'https://bank.example/', data };
    const answer = await railAgainst(answered(200, { resultCode: 'RedirectShopper', action })).start();
    assert.ok(answer.kind === 'step');
    assert.deepEqual(answer.step, { kind: 'post', purpose: 'challenge', url: 'https://bank.example/', fields: data });
  });
});

describe('a payer’s return to an Adyen payment', () => {
  const order = adyenOrder({ kept: challenge });

  it('cancelling an Adyen challenge uses the same idempotency key as the payer’s return', async () => {
    const { rail, sent } = railAgainst(authorised);
    assert.equal((await rail.handleReturn(order, { fields: { cres } }, noDeadline())).kind, 'paid');
    assert.equal((await rail.cancel?.(order, noDeadline()))?.kind, 'paid');
    assert.deepEqual(sent.map(keyOf), [`${order.reference}.2`, `${order.reference}.2`]);
    assert.deepEqual(resultIn(sent[0]), { transStatus: 'Y', authorisationToken: 'token' });
    assert.deepEqual(resultIn(sent[1]), { transStatus: 'N', authorisationToken: 'token' });
  });

  it('a return leaves the payment unchanged if Adyen rejects it or is unreachable', async () => {
    for (const reply of [NO_CONNECTION, error(422, '14_003'), error(401, '000'), answered(403, '<html>')]) {
      const { rail } = railAgainst(reply);
      assert.equal((await rail.handleReturn(order, { fields: { cres } }, noDeadline())).kind, 'no_effect');
      assert.equal((await rail.cancel?.(order, noDeadline()))?.kind, 'no_effect');
    }
  });

  it('a return has an unknown outcome if Adyen does not respond, or rejects the return after a request without a response', async () => {
    const sequences: readonly (readonly [ProviderReply, ...ProviderReply[]])[] = [
      [NO_ANSWER],
      [NO_ANSWER, error(422, '101')],
      [error(500, ''), NO_CONNECTION],
      [error(429, '')],
    ];
    for (const replies of sequences) {
      const handleReturn = railAgainst(...replies).rail.handleReturn(order, { fields: { cres } }, noDeadline());
      assert.equal((await handleReturn).kind, 'unknown');
      const cancel = railAgainst(...replies).rail.cancel?.(order, noDeadline());
      assert.equal((await cancel)?.kind, 'unknown');
    }
  });

  it('each different return from an Adyen redirect has a separate idempotency key, so an invalid return cannot replace a valid return', async () => {
    const kept = writeKept({ stage: 'redirect', number: 1, paymentData: '', url: 'https://bank.example/', data: null });
    const redirected = adyenOrder({ kept });
    const { rail, sent } = railAgainst(error(422, '14_0411'), authorised, authorised);
    const handleReturn = (redirectResult: string) =>
      rail.handleReturn(redirected, { fields: { redirectResult } }, noDeadline());
    assert.equal((await handleReturn('nonsense')).kind, 'no_effect');
    assert.equal((await handleReturn('right')).kind, 'paid');
    assert.equal((await handleReturn('right')).kind, 'paid');
    const keys = sent.map(keyOf);
    assert.equal(keys[1], keys[2]);
    assert.equal(new Set(keys).size, 2);
  });

  it('an Adyen payment fails if Adyen rejects a 3-D Secure fingerprint that does not need a bank page', async () => {
    const token = Buffer.from('{"threeDSServerTransID":"a"}').toString('base64');
    const action = { type: 'threeDS2', subtype: 'fingerprint', token, paymentData: 'd' };
    const identify = answered(200, { resultCode: 'IdentifyShopper', action });
    assert.equal((await railAgainst(identify, error(422, '14_0411')).start()).kind, 'refused');
    assert.equal((await railAgainst(identify, NO_ANSWER, error(422, '14_0411')).start()).kind, 'unknown');
  });

  it('a payer’s return is sent to Adyen again after a refused connection, and the payment is paid', async () => {
    const { rail } = railAgainst(NO_CONNECTION, authorised);
    assert.equal((await rail.handleReturn(order, { fields: { cres } }, noDeadline())).kind, 'paid');
  });

  it('the payer’s return to an Adyen payment is not sent to Adyen if the gateway has stored no readable 3-D Secure step', async () => {
    for (const kept of ['', 'waiting', '{', '{"stage":"toString"}']) {
      const { rail, sent } = railAgainst(authorised);
      const answer = await rail.handleReturn(adyenOrder({ kept }), { fields: { cres } }, noDeadline());
      assert.equal(answer.kind, kept === 'waiting' ? 'pending' : 'unknown');
      assert.equal(sent.length, 0);
    }
  });

  it('an Adyen payment has an unknown outcome after two fingerprint requests that return no challenge page', async () => {
    const token = Buffer.from('{"threeDSServerTransID":"a"}').toString('base64');
    const action = { type: 'threeDS2', subtype: 'fingerprint', token, paymentData: 'd' };
    const { sent, start } = railAgainst(answered(200, { resultCode: 'IdentifyShopper', action }));
    assert.equal((await start()).kind, 'unknown');
    assert.equal(sent.length, 2);
  });
});

describe('responses to an Adyen refund', () => {
  const refund = (...replies: readonly [ProviderReply, ...ProviderReply[]]) => {
    const { rail, sent } = railAgainst(...replies);
    const payment = adyenOrder({ providerReference: 'P1' });
    const asked = rail.refund?.(
      { payment, reference: '9-AbCd1234', money: payment.money, startedAt: payment.startedAt },
      noDeadline(),
    );
    return { asked, sent };
  };

  it('after an unanswered refund request to Adyen, only the response “received” is proof', async () => {
    for (const second of [NO_CONNECTION, error(401, '000'), error(422, '167')])
      assert.equal((await refund(NO_ANSWER, second).asked)?.kind, 'unknown', JSON.stringify(second));
    assert.equal((await refund(NO_ANSWER, answered(201, { status: 'received' })).asked)?.kind, 'pending');
  });

  it('an HTTP 408, 409 or 429 from Adyen leaves the outcome of a refund unknown', async () => {
    for (const reply of [error(408, ''), error(409, ''), error(429, '')]) {
      assert.equal((await refund(reply).asked)?.kind, 'unknown');
      assert.equal((await refund(reply, answered(201, { status: 'received' })).asked)?.kind, 'pending');
    }
  });

  it('a refund request to Adyen contains an idempotency key of the refund', async () => {
    const { asked, sent } = refund(answered(201, { status: 'received' }));
    assert.equal((await asked)?.kind, 'pending');
    assert.deepEqual([keyOf(sent[0]), sent[0]?.path], ['9-AbCd1234', '/payments/P1/refunds']);
  });
});
