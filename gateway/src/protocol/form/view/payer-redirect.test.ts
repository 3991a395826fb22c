import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type PayerResult, payerRedirect, shopAddress } from './payer-redirect.ts';

const RESULT: PayerResult = {
  status: 'success',
  orderId: 'N17',
  money: { currency: 'EUR', minor: 1_250n },
  amountText: '12.5',
  itemName: 'Tea & cup',
  transactionId: 1001,
};
const RESULT_QUERY =
  'order_no=N17&amount=12.5&currency_code=EUR&item_name=Tea+%26+cup&co_inv_id=1001&co_inv_st=success';

function redirect(successUrl: string | null, change: Partial<PayerResult> = {}): string | null {
  return payerRedirect({ ...RESULT, ...change }, { successUrl, failUrl: 'https://shop.example/failed' });
}

describe('the payer’s redirect', () => {
  it('the payer’s redirect goes to the URL for the result, with the result’s fields', () => {
    assert.equal(redirect('https://shop.example/paid'), `https://shop.example/paid?${RESULT_QUERY}`);
    assert.equal(
      redirect('https://shop.example/paid', { status: 'canceled' }),
      `https://shop.example/failed?${RESULT_QUERY.replace('success', 'canceled')}`,
    );
  });

  it('the payer’s redirect omits an empty item name and a missing transaction id', () => {
    assert.equal(
      redirect('https://shop.example/', { itemName: '', transactionId: null, status: 'canceled' }),
      'https://shop.example/failed?order_no=N17&amount=12.5&currency_code=EUR&co_inv_st=canceled',
    );
  });

  it('the payer’s redirect keeps the bytes of the merchant’s query', () => {
    for (const own of ['route=checkout/paid', 'a=%20b&flag&c=d+e', 'x=1;y=2', 'q=%D0%A2%C3', 'a=1&a=2', '%zz=%'])
      assert.equal(redirect(`https://shop.example/paid?${own}`), `https://shop.example/paid?${own}&${RESULT_QUERY}`);
    for (const own of ['?', '?&', ''])
      assert.equal(redirect(`https://shop.example/paid${own}`), `https://shop.example/paid?${RESULT_QUERY}`);
  });

  it('the payer’s redirect contains each result field once, even if the merchant’s URL already contains it', () => {
    const address = redirect('https://shop.example/paid?co_inv_st=canceled&a=1&amount=1&%61mount=2&AMOUNT=3');
    assert.equal(address, `https://shop.example/paid?a=1&AMOUNT=3&${RESULT_QUERY}`);
  });

  it('the payer’s redirect puts its fields before a fragment', () => {
    assert.equal(redirect('https://shop.example/#/paid'), `https://shop.example/?${RESULT_QUERY}#/paid`);
  });

  it('the payer is not redirected if the merchant has no return URL for the result', () => {
    assert.equal(redirect(null), null);
    assert.equal(redirect(''), null);
  });

  it('the payer’s redirect stays on the merchant’s host and keeps every parameter of the result', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(text, text, fc.webQueryParameters(), (itemName, orderId, own) => {
        const url = new URL(redirect(`https://shop.example/paid?${own}`, { itemName, orderId }) ?? '');
        assert.equal(url.origin + url.pathname, 'https://shop.example/paid');
        assert.deepEqual(url.searchParams.getAll('item_name'), [itemName]);
        assert.deepEqual(url.searchParams.getAll('order_no'), [orderId]);
        assert.match(url.href, /^[\x21-\x7e]+$/);
      }),
    );
  });
});

const SHOP = { siteUrl: 'https://shop.example/start' };

describe('the link back to the shop', () => {
  it('payment_url is linked if it is on the host of the registered site', () => {
    assert.equal(shopAddress('https://shop.example/cart?id=7', SHOP), 'https://shop.example/cart?id=7');
    assert.equal(shopAddress('http://SHOP.example', SHOP), 'http://shop.example/');
    assert.equal(shopAddress('https://shop.example:443/', SHOP), 'https://shop.example/');
  });

  it('payment_url is not linked if it is on another host', () => {
    const elsewhere = [
      '',
      'https://evil.example/',
      'https://shop.example.evil.example/',
      'https://shop.example@evil.example/',
      'https://evil.example/https://shop.example/',
      'https://shop.example:8443/',
      'https://www.shop.example/',
      'https://shop.example\\@evil.example/',
      'javascript:alert(1)//shop.example',
      'data:text/html,shop.example',
      'ftp://shop.example/',
      '//shop.example/',
      '/cart',
    ];
    for (const paymentUrl of elsewhere) assert.equal(shopAddress(paymentUrl, SHOP), null, paymentUrl);
  });

  it('payment_url is not linked for a merchant without a registered site', () => {
    for (const siteUrl of [null, '', 'not a site']) {
      assert.equal(shopAddress('https://shop.example/', { siteUrl }), null);
      assert.equal(shopAddress('', { siteUrl }), null);
    }
  });
});
