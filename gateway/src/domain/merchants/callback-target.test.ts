import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRIVATE_HOSTS } from '../../../test/support/tools/private-hosts.ts';
import { callbackAddress, isAllowedAddress, readTarget, type TargetPolicy } from './callback-target.ts';
import type { Merchant } from './merchant.ts';

const PRODUCTION: TargetPolicy = { development: false, extraPorts: new Set([8443]) };
const DEVELOPMENT: TargetPolicy = { development: true, extraPorts: new Set() };

test('a callback target cannot be a private, local or reserved address in any spelling', () => {
  const through = PRIVATE_HOSTS.filter((host) => readTarget(`https://${host}/cb`, PRODUCTION).ok);
  assert.deepEqual(through, []);
});

test('a callback target may be a public address or name, at port 443 or an allowed port', () => {
  for (const url of [
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/x?y=1',
    'https://shop.example/cb',
    'https://shop.example:8443/cb',
  ]) {
    assert.equal(readTarget(url, PRODUCTION).ok, true, url);
  }
});

test('a callback target must be https at an allowed port, without a user name or password', () => {
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

test('a callback target in development may use the loopback, plain HTTP and any port', () => {
  for (const host of ['127.0.0.1:8080', '[::1]:9', 'localhost:3000'])
    assert.equal(readTarget(`http://${host}/`, DEVELOPMENT).ok, true, host);
  for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    assert.equal(readTarget(`http://${host}/`, DEVELOPMENT).ok, false, host);
  }
});

test('an address from a DNS lookup must pass the rules for callback targets', () => {
  assert.equal(isAllowedAddress('93.184.215.14', PRODUCTION), true);
  for (const address of ['127.0.0.1', '::1', '10.0.0.1', '', 'shop.example', 'fe80::1%eth0', '1.2.3.4.5']) {
    assert.equal(isAllowedAddress(address, PRODUCTION), false, address);
  }
});

test('each kind of callback goes to the URL for that kind', () => {
  const merchant = { processUrl: 'https://p/', payoutCallbackUrl: null, eventUrl: null } as Merchant;
  assert.equal(callbackAddress('deposit', merchant), 'https://p/');
  assert.equal(callbackAddress('payout', merchant), 'https://p/');
  assert.equal(callbackAddress('event', merchant), null);
  const all = { ...merchant, payoutCallbackUrl: 'https://o/', eventUrl: 'https://e/' };
  assert.equal(callbackAddress('deposit', all), 'https://p/');
  assert.equal(callbackAddress('payout', all), 'https://o/');
  assert.equal(callbackAddress('event', all), 'https://e/');
});
