/** The bank's pages, walked as a payer walks them: by forms alone. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { memberId, startTokenIoUnderTest } from './token-io-under-test.ts';

async function atBank(t: TestContext, change: Record<string, unknown> = {}) {
  const tokenIo = await startTokenIoUnderTest(t);
  const payment = await tokenIo.paymentOf(change);
  const address = payment.authentication?.redirectUrl ?? '';
  const session = new URL(address).searchParams.get('session') ?? '';
  const post = (step: string, fields: Record<string, string> = {}) =>
    fetch(`${tokenIo.url}/authorize/${step}`, {
      method: 'POST',
      body: new URLSearchParams({ session, ...fields }),
      redirect: 'manual',
    });
  return { tokenIo, payment, address, post };
}

describe('the bank’s page', () => {
  it('leads from the log-in to the decision and back to the shop', async (t) => {
    const { tokenIo, payment, address, post } = await atBank(t);
    const logIn = await (await fetch(address)).text();
    assert.match(logIn, /Simulator of a bank behind Token\.io: no money moves/);
    assert.match(logIn, /Log in to Nordlys Bank/);
    const decision = await (await post('login', { user: 'me', password: 'any' })).text();
    assert.match(decision, /12\.34 EUR/);
    for (const text of ['Agree and pay', 'Reject the payment', 'no final status', 'Leave without deciding'])
      assert.ok(decision.includes(text), text);
    const back = await post('decide', { conduct: 'agree' });
    assert.equal(back.status, 303);
    const returned = new URL(back.headers.get('location') ?? '');
    assert.equal(returned.origin + returned.pathname, 'https://shop.example/back');
    assert.deepEqual(Object.fromEntries(returned.searchParams), {
      attempt: 'secret',
      'member-id': memberId,
      'payment-id': payment.id,
      state: 'state-of-the-test',
    });
    await tokenIo.pass(12_000);
    assert.equal((await tokenIo.show(payment.id)).status, 'SETTLEMENT_COMPLETED');
    const over = await (await fetch(address)).text();
    assert.match(over, /This payment is over/);
    assert.match(await (await post('decide', { conduct: 'agree' })).text(), /This payment is over/);
    assert.equal((await tokenIo.summary())['credits'], 1);
  });

  it('lets a payer mistake the password twice, and locks at the third', async (t) => {
    const { tokenIo, payment, post } = await atBank(t);
    const wrong = (failures: string) => post('login', { user: 'me', password: 'wrong', failures });
    for (const failures of ['0', '1']) {
      assert.match(
        await (await wrong(failures)).text(),
        new RegExp(`role="alert".*\\(${Number(failures) + 1} of 3\\)`),
      );
    }
    assert.equal((await wrong('2')).status, 303);
    assert.equal((await tokenIo.show(payment.id)).status, 'INITIATION_FAILED');
  });

  it('lets a payer leave, decides nothing by that, and takes them again', async (t) => {
    const { tokenIo, payment, post } = await atBank(t);
    const left = await (await post('leave')).text();
    assert.match(left, /<a href="https:\/\/shop\.example\/back\?attempt=secret">Back to the shop/);
    assert.equal((await tokenIo.show(payment.id)).status, 'INITIATION_PENDING_REDIRECT_AUTH');
    assert.match(await (await post('back')).text(), /Log in to/);
  });

  it('shows what it was told as text, whatever it holds, and needs neither script nor anything from elsewhere', async (t) => {
    const payee = '<script>alert(1)</script>"\'&';
    const { post } = await atBank(t, { remittanceInformationSecondary: payee, bankId: 'ob-de-007' });
    const text = await (await post('login', { password: 'x' })).text();
    assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'));
    assert.doesNotMatch(text, /<script|https?:\/\/|<link|<img/);
  });

  it('belongs to whom Token.io sent, and to nobody else', async (t) => {
    const { tokenIo, payment } = await atBank(t);
    for (const session of ['', payment.id, 'x'.repeat(28)]) {
      const answer = await fetch(`${tokenIo.url}/authorize?${new URLSearchParams({ session })}`);
      assert.equal(answer.status, 404);
    }
    const { post } = await atBank(t);
    assert.equal((await post('decide', { conduct: 'everything' })).status, 404);
  });
});
