import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRIVATE_HOSTS } from '../../../test/support/private-hosts.ts';
import { callbackAddress } from '../callbacks/callback-address.ts';
import { isAllowedAddress, readTarget, type TargetPolicy } from './callback-target.ts';
import type { Merchant } from './merchant.ts';

const PRODUCTION: TargetPolicy = { development: false, extraPorts: new Set([8443]) };
const DEVELOPMENT: TargetPolicy = { development: true, extraPorts: new Set() };

test('no spelling of a private, local or reserved address gets through', () => {
  const through = PRIVATE_HOSTS.filter((host) => readTarget(`https://${host}/cb`, PRODUCTION).ok);
  assert.deepEqual(through, []);
});

test('public addresses and names get through, at port 443 and at the ports that were allowed', () => {
  for (const url of [
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/x?y=1',
    'https://shop.example/cb',
    'https://shop.example:8443/cb',
  ]) {
    assert.equal(readTarget(url, PRODUCTION).ok, true, url);
  }
});

test('everything but https at an allowed port is refused, and so are a user name and a password', () => {
  const urls = [
    'http://shop.example/',
    'https://shop.example:80/',
    'https://shop.example:22/',
    'ftp://shop.example/',
    'file:///etc/passwd',
    'javascript:1',
    'https://u@shop.example/',
    'https://:p@shop.example/',
    '//shop.example',
    '',
    'https://',
    'https://[fe80::1%25eth0]/',
  ];
  for (const url of urls) assert.equal(readTarget(url, PRODUCTION).ok, false, url);
});

test('development adds the loopback, plain HTTP and any port, and nothing else', () => {
  for (const host of ['127.0.0.1:8080', '[::1]:9', 'localhost:3000'])
    assert.equal(readTarget(`http://${host}/`, DEVELOPMENT).ok, true, host);
  for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    assert.equal(readTarget(`http://${host}/`, DEVELOPMENT).ok, false, host);
  }
});

test('what a look-up gives is judged the same way, and anything that is no address is refused', () => {
  assert.equal(isAllowedAddress('93.184.215.14', PRODUCTION), true);
  for (const address of ['127.0.0.1', '::1', '10.0.0.1', '', 'shop.example', 'fe80::1%eth0', '1.2.3.4.5']) {
    assert.equal(isAllowedAddress(address, PRODUCTION), false, address);
  }
});

test('deposits are told to process_url, payouts to their own address where there is one, events to event_url alone', () => {
  const merchant = { processUrl: 'https://p/', payoutCallbackUrl: null, eventUrl: null } as Merchant;
  assert.equal(callbackAddress('deposit', merchant), 'https://p/');
  assert.equal(callbackAddress('payout', merchant), 'https://p/');
  assert.equal(callbackAddress('event', merchant), null);
  const all = { ...merchant, payoutCallbackUrl: 'https://o/', eventUrl: 'https://e/' };
  assert.equal(callbackAddress('deposit', all), 'https://p/');
  assert.equal(callbackAddress('payout', all), 'https://o/');
  assert.equal(callbackAddress('event', all), 'https://e/');
});
