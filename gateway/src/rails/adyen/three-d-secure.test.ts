/** 3-D Secure's own messages: packed as Adyen's browser library packs them, and only believed about the transaction at hand. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { packBase64, packBase64Url, unpack } from './base64url-json.ts';
import { challengeFields, readChallengeResult } from './three-d-secure-challenge.ts';
import { methodFields, readMethodCompletion } from './three-d-secure-method.ts';

const serverTransId = '15e48942-be8f-4617-ba75-b587e30e9362';
const acsTransId = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const ids = { serverTransId, acsTransId, messageVersion: '2.2.0' };
const cres = (change: object = {}) => ({
  cres: packBase64Url({
    threeDSServerTransID: serverTransId,
    acsTransID: acsTransId,
    messageType: 'CRes',
    messageVersion: '2.2.0',
    transStatus: 'Y',
    ...change,
  }),
});

describe('packing', () => {
  it('is base64url without padding of JSON, read back in either alphabet', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'binary' })), (message) => {
        const plain = { ...message };
        assert.doesNotMatch(packBase64Url(plain), /[=+/]/);
        assert.deepEqual({ ...unpack(packBase64Url(plain)) }, { ...JSON.parse(JSON.stringify(plain)) });
        assert.deepEqual(unpack(packBase64(plain)), unpack(packBase64Url(plain)));
      }),
    );
  });

  it('reads a token that Adyen’s library has in its tests', () => {
    const token = unpack(
      'eyJ0aHJlZURTTWV0aG9kTm90aWZpY2F0aW9uVVJMIjoiaHR0cHM6XC9cL2NoZWNrb3V0c2hvcHBlci10ZXN0LmFkeWVuLmNvbVwvY2hlY2tvdXRzaG9wcGVyXC90aHJlZURTTWV0aG9kTm90aWZpY2F0aW9uLnNodG1sP29yaWdpbktleT1wdWIudjIuODcxNDI4OTE0NTM2ODQ0NS5hSFIwY0RvdkwyeHZZMkZzYUc5emREb3pNREl3LmdRMUtpejZPTm1SNlBla0ZEZkZ0VUw0VW9YQkxxLVNfcEQtdUtnZ0UtOXMiLCJ0aHJlZURTTWV0aG9kVXJsIjoiaHR0cHM6XC9cL3BhbC10ZXN0LmFkeWVuLmNvbVwvdGhyZWVkczJzaW11bGF0b3JcL2Fjc1wvc3RhcnRNZXRob2Quc2h0bWwiLCJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjE1ZTQ4OTQyLWJlOGYtNDYxNy1iYTc1LWI1ODdlMzBlOTM2MiJ9',
    );
    assert.equal(token?.['threeDSServerTransID'], serverTransId);
    assert.equal(token['threeDSMethodUrl'], 'https://pal-test.adyen.com/threeds2simulator/acs/startMethod.shtml');
  });

  it('takes nothing that is no base64 of an object, and nothing endless', () => {
    for (const text of [
      '',
      '%%%',
      'e30 e30',
      packBase64Url({}).slice(1),
      Buffer.from('[1]').toString('base64'),
      'A'.repeat(300_000),
    ])
      assert.equal(unpack(text), undefined, text.slice(0, 20));
  });
});

describe('a device fingerprint', () => {
  it('goes out with the transaction and where the bank comes back to', () => {
    const { threeDSMethodData = '' } = methodFields(serverTransId, 'https://pay.example/r');
    assert.equal(
      Buffer.from(threeDSMethodData, 'base64url').toString(),
      `{"threeDSServerTransID":"${serverTransId}","threeDSMethodNotificationURL":"https://pay.example/r"}`,
    );
  });

  it('ran when the bank comes back about this transaction, and did not when about another or not at all', () => {
    const back = (id: string) => ({ threeDSMethodData: packBase64Url({ threeDSServerTransID: id }) });
    assert.equal(readMethodCompletion(back(serverTransId), serverTransId), 'Y');
    assert.equal(readMethodCompletion(back(acsTransId), serverTransId), 'N');
    assert.equal(readMethodCompletion({ threeDSMethodData: '<script>' }, serverTransId), 'N');
    assert.equal(readMethodCompletion({}, serverTransId), 'N');
  });
});

describe('a challenge', () => {
  it('goes out as a CReq with the transaction’s ids', () => {
    const { creq } = challengeFields(ids);
    assert.doesNotMatch(creq, /[=+/]/);
    assert.deepEqual(JSON.parse(Buffer.from(creq, 'base64url').toString()), {
      threeDSServerTransID: serverTransId,
      acsTransID: acsTransId,
      messageVersion: '2.2.0',
      messageType: 'CReq',
      challengeWindowSize: '05',
    });
  });

  it('comes back with the bank’s word about it', () => {
    for (const transStatus of ['Y', 'N', 'A', 'U', 'R'])
      assert.equal(readChallengeResult(cres({ transStatus }), ids), transStatus);
    assert.equal(readChallengeResult(cres({ transStatus: 'yes' }), ids), 'U');
    assert.equal(readChallengeResult(cres({ messageType: 'Erro' }), ids), 'U');
  });

  it('is not what comes back about another transaction, of another kind or in no form', () => {
    for (const other of [
      cres({ threeDSServerTransID: acsTransId }),
      cres({ acsTransID: serverTransId }),
      cres({ messageType: 'CReq' }),
      { cres: 'x' },
      { threeDSMethodData: packBase64Url({ threeDSServerTransID: serverTransId }) },
      {},
    ])
      assert.equal(readChallengeResult(other, ids), undefined);
  });
});
