/** The bank pages that take a payer's fingerprint, ask for a code and redirect back. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { RIGHT_CODE } from './three-d-secure.ts';
import {
  type AdyenUnderTest,
  actionOf,
  browse,
  card,
  RETURN_URL,
  startAdyenUnderTest,
  unpacked,
} from './under-test.ts';

const FRICTIONLESS = '5201281505129736';
const CHALLENGED = '5454545454545454';
const packed = (message: object) => Buffer.from(JSON.stringify(message)).toString('base64url');

async function challenge(t: TestContext, paymentFields: Record<string, unknown> = {}) {
  const adyen = await startAdyenUnderTest(t);
  const answer = await adyen.pay({ paymentMethod: card(CHALLENGED), ...paymentFields });
  const action = actionOf(answer);
  const token = unpacked(action['token'] ?? 'e30');
  const creq = {
    threeDSServerTransID: token['threeDSServerTransID'],
    acsTransID: token['acsTransID'],
    messageVersion: '2.2.0',
    messageType: 'CReq',
    challengeWindowSize: '05',
  };
  return { adyen, answer, action, token, creq, acsUrl: token['acsURL'] ?? '' };
}

function submit(adyen: AdyenUnderTest, action: Record<string, string>, transStatus: string) {
  const threeDSResult = packed({ transStatus, authorisationToken: action['authorisationToken'] });
  const padded = Buffer.from(threeDSResult, 'base64url').toString('base64');
  return adyen.post('/payments/details', { details: { threeDSResult: padded } });
}

describe('a device fingerprint in 3-D Secure', () => {
  it('the bank’s page collects a 3-D Secure fingerprint and returns it to the shop', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const answer = await adyen.pay({ paymentMethod: card(FRICTIONLESS) });
    assert.equal(answer.body['resultCode'], 'IdentifyShopper');
    const { token, paymentData } = actionOf(answer);
    const { threeDSMethodUrl = '', threeDSServerTransID } = unpacked(token);
    const threeDSMethodData = packed({ threeDSServerTransID, threeDSMethodNotificationURL: RETURN_URL });
    const page = await browse(threeDSMethodUrl, { threeDSMethodData });
    assert.match(page.html, /action="https:\/\/shop\.example\/return\?attempt=1"/);
    assert.deepEqual(unpacked(page.fields['threeDSMethodData']), { threeDSServerTransID });
    const details = { 'threeds2.fingerprint': Buffer.from('{"threeDSCompInd":"Y"}').toString('base64') };
    const end = await adyen.post('/payments/details', { paymentData, details });
    assert.equal(end.body['resultCode'], 'Authorised');
    assert.equal((await adyen.post('/payments/details', { paymentData, details })).body['errorCode'], '704');
  });

  it('the bank’s page rejects an invalid 3-D Secure fingerprint request', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    const { token } = actionOf(await adyen.pay({ paymentMethod: card(FRICTIONLESS) }));
    const { threeDSMethodUrl = '', threeDSServerTransID } = unpacked(token);
    for (const threeDSMethodData of [
      `${packed({ threeDSServerTransID, threeDSMethodNotificationURL: RETURN_URL })}==`,
      packed({ threeDSServerTransID: 'x', threeDSMethodNotificationURL: RETURN_URL }),
      packed({ threeDSServerTransID, threeDSMethodNotificationURL: 'javascript:alert(1)' }),
      '',
    ])
      assert.equal((await browse(threeDSMethodUrl, { threeDSMethodData })).status, 400);
  });
});

describe('a challenge in 3-D Secure', () => {
  it('the simulated 3-D Secure page asks for a code, states that it is a simulator and loads no other resource', async (t) => {
    const { acsUrl, creq } = await challenge(t);
    const { html } = await browse(acsUrl, { creq: packed(creq) });
    assert.match(html, /simulator of a bank/);
    assert.match(html, /EUR 10\.00/);
    assert.match(html, /name="viewport"/);
    assert.doesNotMatch(html, /https?:\/\//);
  });

  it('a 3-D Secure challenge with the correct code returns a CRes, and the payment is authorised', async (t) => {
    const { adyen, action, acsUrl, creq } = await challenge(t);
    const { fields } = await browse(acsUrl, { creq: packed(creq) });
    const page = await browse(`${acsUrl}/answer`, { ...fields, action: 'confirm', code: RIGHT_CODE });
    const { transStatus, messageType, acsTransID, threeDSServerTransID } = unpacked(page.fields['cres']);
    assert.deepEqual([transStatus, messageType], ['Y', 'CRes']);
    assert.deepEqual([acsTransID, threeDSServerTransID], [creq.acsTransID, creq.threeDSServerTransID]);
    assert.equal((await submit(adyen, action, 'Y')).body['resultCode'], 'Authorised');
  });

  it('a 3-D Secure payment is decided by the bank’s result, whatever the browser reports', async (t) => {
    const { adyen, action, acsUrl, creq } = await challenge(t);
    await browse(acsUrl, { creq: packed(creq) });
    const end = await submit(adyen, action, 'Y');
    assert.deepEqual([end.body['resultCode'], end.body['refusalReasonCode']], ['Refused', '11']);
  });

  it('a 3-D Secure challenge fails after three wrong codes, and a later correct code has no effect', async (t) => {
    const { acsUrl, creq } = await challenge(t);
    const { fields } = await browse(acsUrl, { creq: packed(creq) });
    const answer = (code: string) => browse(`${acsUrl}/answer`, { ...fields, action: 'confirm', code });
    assert.match((await answer('1')).html, /2 tries are left/);
    assert.match((await answer('2')).html, /1 try is left/);
    for (const code of ['3', RIGHT_CODE])
      assert.equal(unpacked((await answer(code)).fields['cres'])['transStatus'], 'N');
  });

  it('a 3-D Secure challenge does not start with an invalid CReq', async (t) => {
    const { acsUrl, creq } = await challenge(t);
    for (const change of [
      { messageType: 'CRes' },
      { messageVersion: '2.1.0' },
      { threeDSServerTransID: 'x' },
      { acsTransID: 'x' },
      { challengeWindowSize: '5' },
    ])
      assert.equal(
        (await browse(acsUrl, { creq: packed({ ...creq, ...change }) })).status,
        400,
        JSON.stringify(change),
      );
    assert.equal((await browse(acsUrl, { creq: `${packed(creq)}=` })).status, 400);
  });

  it('a payment without native 3-D Secure uses Adyen’s redirect page, which returns the payer by GET', async (t) => {
    const authenticationData = { threeDSRequestData: { nativeThreeDS: 'disabled' } };
    const { adyen, answer, action } = await challenge(t, { authenticationData });
    assert.equal(answer.body['resultCode'], 'RedirectShopper');
    const page = await browse(action['url'] ?? '');
    const back = await browse(`${adyen.url}/three-d-secure/challenge/answer`, {
      ...page.fields,
      action: 'confirm',
      code: RIGHT_CODE,
    });
    assert.equal(back.status, 303);
    const url = new URL(back.location ?? '');
    assert.equal(url.searchParams.get('attempt'), '1');
    const details = { redirectResult: url.searchParams.get('redirectResult') };
    assert.equal((await adyen.post('/payments/details', { details })).body['resultCode'], 'Authorised');
  });
});

describe('the pages of 3-D Secure', () => {
  it('a 3-D Secure page escapes the shop’s strings', async (t) => {
    const hostile = 'https://shop.example/"><script>alert(1)</script>';
    const adyen = await startAdyenUnderTest(t);
    const { token } = actionOf(await adyen.pay({ paymentMethod: card(FRICTIONLESS) }));
    const { threeDSMethodUrl = '', threeDSServerTransID } = unpacked(token);
    const threeDSMethodData = packed({ threeDSServerTransID, threeDSMethodNotificationURL: hostile });
    assert.doesNotMatch((await browse(threeDSMethodUrl, { threeDSMethodData })).html, /<script>alert/);
  });
});
