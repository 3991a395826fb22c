import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shopAddress } from './shop-address.ts';

const MERCHANT = { siteUrl: 'https://shop.example/start' };

describe('the link back to the shop', () => {
  it('payment_url is linked if it is on the host of the registered site', () => {
    assert.equal(shopAddress('https://shop.example/cart?id=7', MERCHANT), 'https://shop.example/cart?id=7');
    assert.equal(shopAddress('http://SHOP.example', MERCHANT), 'http://shop.example/');
    assert.equal(shopAddress('https://shop.example:443/', MERCHANT), 'https://shop.example/');
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
    for (const paymentUrl of elsewhere) assert.equal(shopAddress(paymentUrl, MERCHANT), null, paymentUrl);
  });

  it('payment_url is not linked for a merchant without a registered site', () => {
    for (const siteUrl of [null, '', 'not a site']) {
      assert.equal(shopAddress('https://shop.example/', { siteUrl }), null);
      assert.equal(shopAddress('', { siteUrl }), null);
    }
  });
});
