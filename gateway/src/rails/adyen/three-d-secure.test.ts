/**
 * Checks the messages of 3-D Secure: encoded as in Adyen's browser library, and read only for their own transaction.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { packBase64, packBase64Url, unpack } from './base64url-json.ts';
import { challengeFields, methodFields, readChallengeResult, readMethodCompletion } from './three-d-secure.ts';

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

describe('the encoding of 3-D Secure messages', () => {
  it('a 3-D Secure message for Adyen is JSON in unpadded base64url and is read in both base64 alphabets', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'binary' })), (message) => {
        const plain = { ...message };
        assert.doesNotMatch(packBase64Url(plain), /[=+/]/);
        assert.deepEqual({ ...unpack(packBase64Url(plain)) }, { ...JSON.parse(JSON.stringify(plain)) });
        assert.deepEqual(unpack(packBase64(plain)), unpack(packBase64Url(plain)));
      }),
    );
  });

  it('a token from the tests of Adyen’s library is decoded', () => {
    const token = unpack(
      'eyJ0aHJlZURTTWV0aG9kTm90aWZpY2F0aW9uVVJMIjoiaHR0cHM6XC9cL2NoZWNrb3V0c2hvcHBlci10ZXN0LmFkeWVuLmNvbVwvY2hlY2tvdXRzaG9wcGVyXC90aHJlZURTTWV0aG9kTm90aWZpY2F0aW9uLnNodG1sP29yaWdpbktleT1wdWIudjIuODcxNDI4OTE0NTM2ODQ0NS5hSFIwY0RvdkwyeHZZMkZzYUc5emREb3pNREl3LmdRMUtpejZPTm1SNlBla0ZEZkZ0VUw0VW9YQkxxLVNfcEQtdUtnZ0UtOXMiLCJ0aHJlZURTTWV0aG9kVXJsIjoiaHR0cHM6XC9cL3BhbC10ZXN0LmFkeWVuLmNvbVwvdGhyZWVkczJzaW11bGF0b3JcL2Fjc1wvc3RhcnRNZXRob2Quc2h0bWwiLCJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjE1ZTQ4OTQyLWJlOGYtNDYxNy1iYTc1LWI1ODdlMzBlOTM2MiJ9',
    );
    assert.equal(token?.['threeDSServerTransID'], serverTransId);
    assert.equal(token['threeDSMethodUrl'], 'https://pal-test.adyen.com/threeds2simulator/acs/startMethod.shtml');
  });

  it('a malformed string is not decoded as a 3-D Secure message', () => {
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

describe('a 3-D Secure device fingerprint', () => {
  it('an Adyen fingerprint form contains the transaction and the return URL', () => {
    const { threeDSMethodData = '' } = methodFields(serverTransId, 'https://pay.example/r');
    assert.equal(
      Buffer.from(threeDSMethodData, 'base64url').toString(),
      `{"threeDSServerTransID":"${serverTransId}","threeDSMethodNotificationURL":"https://pay.example/r"}`,
    );
  });

  it('an Adyen fingerprint is complete only if the bank returns for the same transaction', () => {
    const back = (id: string) => ({ threeDSMethodData: packBase64Url({ threeDSServerTransID: id }) });
    assert.equal(readMethodCompletion(back(serverTransId), serverTransId), 'Y');
    assert.equal(readMethodCompletion(back(acsTransId), serverTransId), 'N');
    assert.equal(readMethodCompletion({ threeDSMethodData: '<script>' }, serverTransId), 'N');
    assert.equal(readMethodCompletion({}, serverTransId), 'N');
  });
});

describe('a 3-D Secure challenge', () => {
  it('an Adyen challenge form contains a CReq with both transaction ids', () => {
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

  it('an Adyen challenge’s return yields the bank’s transStatus, or U if it is invalid', () => {
    for (const transStatus of ['Y', 'N', 'A', 'U', 'R'])
      assert.equal(readChallengeResult(cres({ transStatus }), ids), transStatus);
    assert.equal(readChallengeResult(cres({ transStatus: 'yes' }), ids), 'U');
    assert.equal(readChallengeResult(cres({ messageType: 'Erro' }), ids), 'U');
  });

  it('an Adyen challenge’s return of another transaction, kind or form is ignored', () => {
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
