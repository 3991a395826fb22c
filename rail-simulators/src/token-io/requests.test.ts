/** The client's requests to Token.io over real HTTP: accepted and rejected requests, and lists. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { eachOf } from '../kernel/inbox-under-test.ts';
import {
  errorOf,
  initiation,
  MEMBER_ID,
  paymentIn,
  type Slip,
  startTokenIoUnderTest,
  type TokenIoUnderTest,
} from './under-test.ts';

describe('a payment request to Token.io', () => {
  it('a valid Token.io payment waits for its payer at the bank', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    const order = initiation();
    const { status, body } = await tokenIo.call('POST', '/v2/payments', { initiation: order });
    const { payment } = body as { payment: Record<string, unknown> };
    assert.deepEqual(
      [status, payment['status'], payment['memberId']],
      [200, 'INITIATION_PENDING_REDIRECT_AUTH', MEMBER_ID],
    );
    const echo = payment['initiation'] as Record<string, unknown>;
    for (const name of ['refId', 'amount', 'callbackState', 'bankId']) assert.deepEqual(echo[name], order[name], name);
    assert.deepEqual((await tokenIo.call('GET', `/v2/payments/${payment['id']}`)).body, body);
    const { payments, credits } = await tokenIo.summary();
    assert.deepEqual([payments, credits], [1, 0]);
  });

  it('a Token.io payment is not accepted twice under one refId', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    await tokenIo.pay({ refId: 'one' });
    assert.deepEqual(errorOf(await tokenIo.pay({ refId: 'one' })), [400, 'Field.NotUnique', 'initiation.refId']);
    assert.equal((await tokenIo.summary())['payments'], 1);
  });

  const refusals: readonly (readonly [what: string, change: Record<string, unknown>, code: string, path?: string])[] = [
    ['no refId', { refId: '' }, 'Field.Expected', 'refId'],
    ['a long refId', { refId: 'x'.repeat(19) }, 'Field.InvalidFormat', 'refId'],
    ['a refId with signs', { refId: 'a b' }, 'Field.InvalidFormat', 'refId'],
    ['no reference', { remittanceInformationPrimary: '' }, 'Field.Expected', 'remittanceInformationPrimary'],
    [
      'a long text',
      { remittanceInformationSecondary: 'x'.repeat(141) },
      'Field.InvalidFormat',
      'remittanceInformationSecondary',
    ],
    ['another currency', { amount: { value: '1.00', currency: 'GBP' } }, 'Field.Invalid', 'amount.currency'],
    ['an amount of nothing', { amount: { value: '0.00', currency: 'EUR' } }, 'Field.InvalidFormat', 'amount.value'],
    [
      'an amount below the cent',
      { amount: { value: '1.001', currency: 'EUR' } },
      'Field.InvalidFormat',
      'amount.value',
    ],
    ['no creditor', { creditor: null }, 'Field.Expected', 'creditor'],
    [
      'another’s account',
      { creditor: { virtualAccountId: 'pa:other:1' } },
      'Field.Invalid',
      'creditor.virtualAccountId',
    ],
    ['a flow of its own', { flowType: 'FULL' }, 'Field.Invalid', 'flowType'],
    ['another kind of transfer', { localInstrument: 'SWIFT' }, 'Field.Invalid', 'localInstrument'],
    ['no address to come back to', { callbackUrl: 'x' }, 'Field.InvalidFormat', 'callbackUrl'],
    ['a bank that is unknown', { bankId: 'nobody' }, 'Field.Invalid', 'bankId'],
    ['a bank that cannot', { bankId: 'data-only' }, 'Bank.FeatureNotSupported'],
    ['a bank without instant transfers', { bankId: 'slow-sepa' }, 'Bank.FeatureNotSupported'],
  ];
  it('a Token.io payment with an invalid field is rejected', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    await eachOf(refusals, async ([_what, change, code, path]) => {
      const expected = path === undefined ? [400, code] : [400, code, `initiation.${path}`];
      assert.deepEqual(errorOf(await tokenIo.pay(change)), expected);
      assert.equal((await tokenIo.summary())['payments'], 0);
    });
  });

  it('the Token.io list finds payments by refId, id and status', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    const { id } = await tokenIo.paymentOf({ refId: 'first' });
    await tokenIo.pay({ refId: 'second' });
    const listed = async (query: string) => {
      const { body } = await tokenIo.call('GET', `/v2/payments?limit=10&${query}`);
      return (body['payments'] as { initiation: { refId: string } }[]).map(({ initiation: { refId } }) => refId);
    };
    assert.deepEqual(await listed('refIds=first&refIds=third'), ['first']);
    assert.deepEqual(await listed(`ids=${id}`), ['first']);
    assert.deepEqual(await listed('statuses=INITIATION_COMPLETED'), []);
    assert.deepEqual(await listed(''), ['first', 'second']);
    assert.deepEqual(errorOf(await tokenIo.call('GET', '/v2/payments')), [400, 'Field.Expected', 'limit']);
    const { body } = await tokenIo.call('GET', '/v2/payments?limit=1');
    assert.deepEqual((body['pageInfo'] as { haveMore: boolean }).haveMore, true);
  });

  it('a Token.io payment can be cancelled only before its payer acts', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    const [open, decided] = [await tokenIo.paymentOf(), await tokenIo.paymentOf()];
    assert.equal(paymentIn(await tokenIo.call('DELETE', `/v2/payments/${open.id}`)).status, 'CANCELED');
    await tokenIo.control('act', { id: decided.id, behaviour: 'agree' });
    assert.deepEqual(errorOf(await tokenIo.call('DELETE', `/v2/payments/${decided.id}`)), [400, 'FAILED_PRECONDITION']);
    assert.deepEqual(errorOf(await tokenIo.call('DELETE', '/v2/payments/pm2:x:y')), [404, 'Resource.NotFound']);
    assert.deepEqual(errorOf(await tokenIo.call('GET', '/v2/payments/pm2:x:y')), [404, 'Resource.NotFound']);
  });
});

describe('the signature of a Token.io request', () => {
  const slips: readonly (readonly [what: string, slip: Slip])[] = [
    ['signed by another key', { key: generateKeyPairSync('ed25519').privateKey }],
    ['over another body', { body: '{"initiation":{"amount":{"value":"0.01"}}}' }],
    ['of another member', { claims: { mid: 'm:other:1' } }],
    ['with a key that is not registered', { claims: { kid: 'other' } }],
    ['for another method', { claims: { method: 'GET' } }],
    ['for another path', { claims: { path: '/refunds' } }],
    ['for another host', { claims: { host: 'api.token.io' } }],
    ['for another query', { claims: { query: 'limit=1' } }],
    ['of another algorithm', { claims: { alg: 'none' } }],
    ['that is over', { claims: { exp: Date.UTC(2026, 0, 1) } }],
    ['that lives too long', { claims: { exp: Date.UTC(2026, 0, 2) } }],
    ['whose end is a text', { claims: { exp: '1300819380' } }],
    ['without a token', { authorization: '' }],
    ['with a token that is none', { authorization: 'Bearer x' }],
    ['with its body in the token', { authorization: 'Bearer eyJ9.eyJ9.AAAA' }],
  ];
  it('a Token.io request is rejected without a signature over that request', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    await eachOf(slips, async ([_what, slip]) => {
      const answer = await tokenIo.call('POST', '/v2/payments', { initiation: initiation() }, slip);
      assert.deepEqual(errorOf(answer), [401, 'Unauthenticated']);
      assert.equal((await tokenIo.summary())['payments'], 0);
    });
  });

  it('a Token.io request is rejected while the client has registered no key', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t, { findPublicKey: () => undefined });
    assert.equal((await tokenIo.pay()).status, 401);
  });
});

describe('the bank list of Token.io', () => {
  async function page(tokenIo: TokenIoUnderTest, query: string) {
    const { body } = await tokenIo.call('GET', `/v2/banks?${query}`);
    return body as {
      banks: { id: string; name: string; bic?: string; countries: string[] }[];
      paging: { totalCount: number };
    };
  }

  it('the Token.io bank list contains a few hundred banks in pages of at most 200, each bank once', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    const [first, second] = [await page(tokenIo, 'perPage=500'), await page(tokenIo, 'page=2')];
    const all = [...first.banks, ...second.banks, ...(await page(tokenIo, 'page=3')).banks];
    assert.ok(first.paging.totalCount > 200 && first.paging.totalCount < 600, String(first.paging.totalCount));
    assert.deepEqual([first.banks.length, all.length], [200, first.paging.totalCount]);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
    assert.ok(new Set(all.flatMap(({ countries }) => countries)).size >= 15);
    assert.ok(all.some(({ name }) => /\p{Script=Greek}/u.test(name)));
    assert.ok(all.some(({ bic }) => bic === undefined));
  });

  it('the Token.io bank list is searched by country, name, id and capability', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    const ids = async (query: string) => (await page(tokenIo, query)).banks.map(({ id }) => id);
    assert.deepEqual(await ids('search=nordlys'), ['nordlys', 'nordlys-business']);
    assert.deepEqual(await ids('search=nordlys&countries=LV&countries=SK'), ['nordlys']);
    assert.deepEqual(await ids('ids=slow-sepa&ids=nordlys&supportedLocalInstruments=SEPA_INSTANT'), ['nordlys']);
    assert.deepEqual(await ids('ids=data-only&supportsSinglePayment=true'), []);
    assert.deepEqual(await ids('page=9'), []);
    for (const query of ['page=0', 'perPage=x', 'sort=AGE']) {
      assert.equal((await tokenIo.call('GET', `/v2/banks?${query}`)).status, 400, query);
    }
  });
});
