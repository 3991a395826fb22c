import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowedAddress, readTarget, type TargetPolicy } from './callback-target.ts';

const PRODUCTION: TargetPolicy = { development: false, extraPorts: new Set([8443]) };
const DEVELOPMENT: TargetPolicy = { development: true, extraPorts: new Set() };

/** Hosts as a merchant may write them, each of which leads to an address that is not public. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '00',
  '0x0',
  '10.0.0.1',
  '10.1',
  '0xa.0.0.1',
  '012.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.1',
  '0xc0a80101',
  '3232235777',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '198.51.100.7',
  '203.0.113.9',
  '192.88.99.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:10.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:c0a8:101::1]',
  '[2001::1]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[100::1]',
  '[5f00::1]',
  '[4000::1]',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
] as const;

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
