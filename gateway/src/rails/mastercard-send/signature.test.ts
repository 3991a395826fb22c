import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { authorizationOf, baseString, baseUri, bodyHash, oauthParameters } from './signature.ts';

/**
 * Published with Mastercard's own signing libraries, unless stated otherwise. In the two cases about escaping, an
 * address without a path has a slash added.
 */
describe('the string to sign of a Mastercard request', () => {
  it('the string to sign of a Mastercard request contains the hash of the body, even of an empty one', () => {
    assert.equal(bodyHash(''), '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
    assert.equal(bodyHash('{"foõ":"bar"}'), '+Z+PWW2TJDnPvRcTgol+nKO3LT7xm8smnsg+//XMIyI=');
  });

  const addresses: readonly (readonly [url: string, uri: string])[] = [
    ['http://EXAMPLE.COM:80/r%20v/X?id=123', 'http://example.com/r%20v/X'],
    ['https://api.mastercard.com:443/test?query=param', 'https://api.mastercard.com/test'],
    ['https://www.example.net:8080', 'https://www.example.net:8080/'],
    ['http://example.com/r%2540v/X?id=123', 'http://example.com/r%2540v/X'],
    ['https://www.example.net:8080/foo@bar/test?query=test', 'https://www.example.net:8080/foo@bar/test'],
    ['https://www.example.net/a#fragment', 'https://www.example.net/a'],
  ];
  for (const [url, uri] of addresses) {
    it(`the string to sign of a Mastercard request writes ${url} as ${uri}`, () => assert.equal(baseUri(url), uri));
  }

  it('the string to sign of a Mastercard request sorts the parameters in byte order', () => {
    const text = baseString('GET', 'https://a.example/?b=b&A=a&A=A&B=B&a=A&a=a&0=0', []);
    assert.equal(decodeURIComponent(text.split('&')[2] ?? ''), '0=0&A=A&A=a&B=B&a=A&a=a&b=b');
  });

  it('the string to sign of a Mastercard request escapes an already escaped query again', () => {
    const twice = baseString('GET', 'https://example.com/?param=token1%3Atoken2', []);
    assert.equal(twice, 'GET&https%3A%2F%2Fexample.com%2F&param%3Dtoken1%253Atoken2');
    const once = baseString('GET', 'https://example.com/?param=token1:token2', []);
    assert.equal(once, 'GET&https%3A%2F%2Fexample.com%2F&param%3Dtoken1%3Atoken2');
  });

  it('the string to sign of a Mastercard GET equals the published string, which contains no body hash', () => {
    const url =
      'https://sandbox.api.mastercard.com/merchantid/v1/merchantid' +
      '?MerchantId=GOOGLE%20LTD%20ADWORDS%20%28CC%40GOOGLE.COM%29&Format=XML&Type=ExactMatch&Format=JSON';
    const parts = { consumerKey: 'aaa!aaa', nonce: 'uTeLPs6K', timestamp: 1_524_771_555 };
    const oauth = oauthParameters('', parts).filter(([name]) => name !== 'oauth_body_hash');
    assert.equal(
      baseString('GET', url, oauth),
      'GET&https%3A%2F%2Fsandbox.api.mastercard.com%2Fmerchantid%2Fv1%2Fmerchantid&Format%3DJSON%26Format%3DXML' +
        '%26MerchantId%3DGOOGLE%2520LTD%2520ADWORDS%2520%2528CC%2540GOOGLE.COM%2529%26Type%3DExactMatch' +
        '%26oauth_consumer_key%3Daaa%21aaa%26oauth_nonce%3DuTeLPs6K%26oauth_signature_method%3DRSA-SHA256' +
        '%26oauth_timestamp%3D1524771555%26oauth_version%3D1.0',
    );
  });

  it('the string to sign of a Mastercard disbursement follows the same rules', () => {
    const url =
      'https://sandbox.api.mastercard.com/send/v1/partners/ptnr_BEeCrYJHh2BXTXPy_PEtp-8DBOo/disbursements/payment' +
      '?decline_details=true';
    const body = '{"payment_disbursement":{"disbursement_reference":"pay_000001328"}}';
    const parts = { consumerKey: 'aaa!aaa', nonce: 'abcdefgh12345678', timestamp: 1_524_771_555 };
    assert.equal(
      baseString('POST', url, oauthParameters(body, parts)),
      'POST&https%3A%2F%2Fsandbox.api.mastercard.com%2Fsend%2Fv1%2Fpartners%2Fptnr_BEeCrYJHh2BXTXPy_PEtp-8DBOo' +
        '%2Fdisbursements%2Fpayment&decline_details%3Dtrue' +
        '%26oauth_body_hash%3DpO%2F17eU5JpyFWQsIabakJ0v6H9SHgiXsse%2FrpMFo2XY%3D%26oauth_consumer_key%3Daaa%21aaa' +
        '%26oauth_nonce%3Dabcdefgh12345678%26oauth_signature_method%3DRSA-SHA256%26oauth_timestamp%3D1524771555' +
        '%26oauth_version%3D1.0',
    );
  });
});

describe('the authorization header of a Mastercard request', () => {
  it('the header of a Mastercard request contains every value for its verification, and the escaped signature', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const parts = { consumerKey: 'aaa!aaa', nonce: 'n1', timestamp: 1_524_771_555 };
    const request = { verb: 'POST', url: 'https://api.mastercard.com/send/x?decline_details=true', body: '{}' };
    const header = authorizationOf(request, parts, privateKey);
    const given = Object.fromEntries(
      [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const { oauth_signature = '', ...own } = given;
    assert.deepEqual(own, {
      oauth_body_hash: createHash('sha256').update('{}').digest('base64'),
      oauth_consumer_key: 'aaa!aaa',
      oauth_nonce: 'n1',
      oauth_signature_method: 'RSA-SHA256',
      oauth_timestamp: '1524771555',
      oauth_version: '1.0',
    });
    const text = baseString('POST', request.url, oauthParameters('{}', parts));
    const signature = Buffer.from(decodeURIComponent(oauth_signature), 'base64');
    assert.match(header, /^OAuth /);
    assert.doesNotMatch(oauth_signature, /[+/=]/);
    assert.ok(verify('sha256', Buffer.from(text), publicKey, signature));
  });
});
