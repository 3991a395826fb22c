/** Compares the token of a request with Token.io's printed example, and with the key of RFC 8037. */
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { authorize, type SignedRequest } from './authentication.ts';

/** RFC 8037, appendix A: the key, and its signature of `{"alg":"EdDSA"}` and a text. */
const RFC_8037 = {
  key: {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  },
  text: 'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc',
  signature: 'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
};
/** The header of the printed token in Token.io's OpenAPI document. */
const PRINTED =
  'eyJhbGciOiJFZERTQSIsImtpZCI6IjF4N2RmNHZ1RlVIWVFDYTciLCJtaWQiOiJtOlhUalhlMkFQZTRvdmVaalE4cHoyNGdEbUZEcTo1ekt0' +
  'WEVBcSIsImhvc3QiOiJsb2NhbGhvc3Q6ODAwMCIsIm1ldGhvZCI6IlBPU1QiLCJwYXRoIjoiL2JhbmtzL2lyb24vdXNlcnMiLCJleHAiOjE1' +
  'ODYyOTczNDQ3ODd9';

const privateKey = createPrivateKey({ key: RFC_8037.key, format: 'jwk' });
const publicKey = createPublicKey(privateKey);
const NOW = 1_586_297_044_787;

const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

describe('the token of a Token.io request', () => {
  const printed = decode(PRINTED);
  const by = { memberId: printed.mid, keyId: printed.kid, privateKey };
  const request: SignedRequest = {
    method: printed.method,
    host: printed.host,
    path: printed.path,
    query: '',
    body: '{"user":"Ünïque"}',
  };
  const partsOf = (token: string) => /^Bearer ([^.]+)\.([^.]*)\.([^.]+)$/.exec(token)?.slice(1) ?? [];

  it('a request token of Token.io expires after five minutes', () => {
    const [header = '', payload] = partsOf(authorize(request, by, NOW));
    assert.deepEqual(decode(header), { ...printed, typ: 'JWT', exp: NOW + 300_000 });
    assert.deepEqual([payload, printed.exp], ['', NOW + 300_000]);
  });

  it('a Token.io request token covers the query string if there is one', () => {
    const [header = ''] = partsOf(authorize({ ...request, query: 'limit=10&refIds=1-A' }, by, NOW));
    assert.equal(decode(header).query, 'limit=10&refIds=1-A');
  });

  it('a Token.io request token signs its header and the sent body as in RFC 8037', () => {
    const ofRfc = sign(null, Buffer.from(RFC_8037.text), privateKey).toString('base64url');
    assert.equal(ofRfc, RFC_8037.signature);
    const [header, , signature = ''] = partsOf(authorize(request, by, NOW));
    const isSigned = (body: string) => {
      const text = `${header}.${Buffer.from(body).toString('base64url')}`;
      return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'));
    };
    assert.deepEqual([isSigned(request.body), isSigned('{"user":"Unique"}'), isSigned('')], [true, false, false]);
  });

  it('the token of a Token.io request without a body signs an empty string', () => {
    const [header, , signature = ''] = partsOf(authorize({ ...request, body: '' }, by, NOW));
    assert.ok(verify(null, Buffer.from(`${header}.`), publicKey, Buffer.from(signature, 'base64url')));
  });
});
