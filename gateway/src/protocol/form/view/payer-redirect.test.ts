import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type PayerResult, payerRedirect } from './payer-redirect.ts';

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

describe('where the payer is sent', () => {
  it('is the address for the result, with what the shop shows of it', () => {
    assert.equal(redirect('https://shop.example/paid'), `https://shop.example/paid?${RESULT_QUERY}`);
    assert.equal(
      redirect('https://shop.example/paid', { status: 'canceled' }),
      `https://shop.example/failed?${RESULT_QUERY.replace('success', 'canceled')}`,
    );
  });

  it('leaves out goods without a name, and a transaction that there was none of', () => {
    assert.equal(
      redirect('https://shop.example/', { itemName: '', transactionId: null, status: 'canceled' }),
      'https://shop.example/failed?order_no=N17&amount=12.5&currency_code=EUR&co_inv_st=canceled',
    );
  });

  it('keeps the query that the address has, byte by byte', () => {
    for (const own of ['route=checkout/paid', 'a=%20b&flag&c=d+e', 'x=1;y=2', 'q=%D0%A2%C3', 'a=1&a=2', '%zz=%'])
      assert.equal(redirect(`https://shop.example/paid?${own}`), `https://shop.example/paid?${own}&${RESULT_QUERY}`);
    for (const own of ['?', '?&', ''])
      assert.equal(redirect(`https://shop.example/paid${own}`), `https://shop.example/paid?${RESULT_QUERY}`);
  });

  it('has each field of the result once, whatever the address said of it', () => {
    const address = redirect('https://shop.example/paid?co_inv_st=canceled&a=1&amount=1&%61mount=2&AMOUNT=3');
    assert.equal(address, `https://shop.example/paid?a=1&AMOUNT=3&${RESULT_QUERY}`);
  });

  it('comes before a fragment', () => {
    assert.equal(redirect('https://shop.example/#/paid'), `https://shop.example/?${RESULT_QUERY}#/paid`);
  });

  it('is nowhere where the merchant has no such address', () => {
    assert.equal(redirect(null), null);
    assert.equal(redirect(''), null);
  });

  it('stays on the host of the address, and says exactly the result, whatever the texts are', () => {
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
