/**
 * A signed link lets a payer pay and nothing else. It tests two attacks that once worked: one key signed both links and API
 * requests, and signatures covered whatever fields a request contained.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { provenReply, signedForm, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { EXAMPLE_PAYOUTS, post, type RequestFields, signOver } from '../../support/payouts/payout-request.ts';

const SEND = '/merchant/api/payout_send';
const STATUS = '/merchant/api/payout_status';
const BALANCE = '/payment/balance';

let gateway: RunningGateway;
let merchant: TestMerchant;
before(async () => {
  gateway = await startGateway();
  merchant = await gateway.merchant({ funds: { UAH: '1000.00', EUR: '50.00' } });
  await merchant.pay(70, 'A17');
});
after(() => gateway.verifyAndStop());

/** Returns the four fields of a link with their signature. */
function linkOf(change: Readonly<Record<string, string>> = {}, key = merchant.formKey) {
  const covered = { merchant: merchant.id, order: 'A17', amount: '12.50', currency: 'EUR', ...change };
  return { ...covered, sign: signOver(covered, 'all', key) };
}

/** Returns the description in the error response. */
async function descriptionOf(path: string, body: RequestFields): Promise<string | undefined> {
  const reply = provenReply(await post(gateway.url + path, body), merchant.key);
  assert.equal(reply['status'], 'Error');
  return reply['description'];
}

describe('the signature of a link', () => {
  it('a balance request rejects the signature of a form link, over the link’s fields and over its own fields', async () => {
    const { sign, merchant: id, currency } = linkOf();
    assert.equal(await descriptionOf(BALANCE, linkOf()), 'Invalid order');
    assert.equal(await descriptionOf(BALANCE, { merchant: id, currency, sign }), 'Sign error');
  });

  it('a status request rejects the signature of a form link, over the link’s fields and over its own fields', async () => {
    const { sign, order: payout_id, ...rest } = linkOf();
    assert.equal(await descriptionOf(STATUS, { ...rest, payout_id, sign }), 'Invalid amount');
    assert.equal(await descriptionOf(STATUS, { merchant: rest.merchant, payout_id, sign }), 'Sign error');
  });

  it('a payout by method 34 rejects the signature of a form link whose amount a customer typed, under either key', async () => {
    const own = { merchant: merchant.id, method: '34', payout_id: 'forged', amount: '340.00', currency: 'UAH' };
    const wanted: Readonly<Record<string, string>> = { ...EXAMPLE_PAYOUTS[34], ...own };
    const inOrder = Object.keys(wanted).sort();
    const amount = inOrder.map((name) => wanted[name]).join(':');
    for (const key of [merchant.formKey, merchant.key]) {
      const { sign } = linkOf({ amount, currency: 'UAH', order: 'N1' }, key);
      const rest = `UAH:${merchant.id}:N1`;
      assert.equal(await descriptionOf(SEND, { ...wanted, zz: rest, sign }), 'Invalid zz');
      assert.equal(await descriptionOf(SEND, { ...wanted, sign }), 'Sign error');
      const longer = await descriptionOf(SEND, { ...wanted, payout_id: `forged:${rest}`, sign });
      assert.equal(longer, key === merchant.key ? 'Invalid payout_id' : 'Sign error');
    }
    assert.equal((await merchant.status('forged'))['description'], 'Payout not found');
    assert.equal((await merchant.balance('UAH'))['balance'], '1000.00');
  });
});

describe('a link with a colon in a value', () => {
  it('a form link with a colon in a value is rejected, even with a valid signature', async () => {
    for (const field of ['amount', 'order', 'currency']) {
      const link = { ...linkOf({ [field]: 'a:b' }), item_name: 'Tea', country: 'DE' };
      const answer = await fetch(gateway.url + signedForm(link, merchant.formKey), { redirect: 'manual' });
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), new RegExp(`<code>${field}</code>`));
    }
  });
});

describe('the API key and the form key', () => {
  it('a form link signed with the API key is rejected', async () => {
    const link = {
      merchant: merchant.id,
      order: 'N2',
      amount: '12.50',
      currency: 'EUR',
      item_name: 'Tea',
      country: 'DE',
      lang: 'en',
    };
    const refused = await fetch(gateway.url + signedForm(link, merchant.key), { redirect: 'manual' });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /the signature is wrong/);
    const signed = await fetch(gateway.url + signedForm(link, merchant.formKey), { redirect: 'manual' });
    assert.doesNotMatch(await signed.text(), /signature/);
  });

  it('an API request signed with the form key is rejected', async () => {
    const shop = merchant.withKey(merchant.formKey);
    const balance = { merchant: merchant.id, currency: 'EUR' };
    const status = { merchant: merchant.id, payout_id: 'A17' };
    for (const [path, body] of [
      [SEND, shop.request(70, 'by-form-key')],
      [BALANCE, { ...balance, sign: signOver(balance, 'all', shop.key) }],
      [STATUS, { ...status, sign: signOver(status, 'all', shop.key) }],
    ] as const)
      assert.equal(await descriptionOf(path, body), 'Sign error');
    const deposit = await shop.requestDeposit('by-form-key');
    assert.equal((deposit.json as Record<string, string>)['description'], 'Sign error');
  });
});
