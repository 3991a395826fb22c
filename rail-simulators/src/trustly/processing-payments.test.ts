/**
 * Trustly's payers, on the page and through the control surface, and the notifications until the client acknowledges them.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { publicKeyFile } from '../kernel/credentials.ts';
import { aWhile, eachOf, eventually } from '../kernel/inbox-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { ownPrivateKey } from './key-files.ts';
import {
  acknowledgement,
  acknowledgingInbox,
  errorOf,
  isTrustlys,
  opened,
  startTrustlyUnderTest,
  type TrustlyUnderTest,
} from './under-test.ts';

async function untilNotified(trustly: TrustlyUnderTest, count: number): Promise<string[]> {
  await eventually(`${count} notifications`, () => trustly.notified().length >= count);
  await aWhile();
  return trustly.notified();
}

describe('the checkout of Trustly', () => {
  /** Returns the forms of a page: their targets, windows and fields. */
  function formsOf(html: string) {
    return [...html.matchAll(/<form method="post" action="([^"]+)"(?: target="([^"]+)")?>(.*?)<\/form>/gs)].map(
      ([, action = '', target = '', inner = '']) => {
        const hidden = [...inner.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
        return {
          action,
          target,
          fields: new URLSearchParams(Object.fromEntries(hidden.map(([, name, value]) => [name, value]))),
        };
      },
    );
  }

  async function submit(trustly: TrustlyUnderTest, html: string, step: string, more: Record<string, string> = {}) {
    const form = formsOf(html).find(({ action }) => action === `/checkout/${step}`);
    assert.ok(form, step);
    for (const [name, value] of Object.entries(more)) form.fields.set(name, value);
    return fetch(trustly.url + form.action, { method: 'POST', body: form.fields, redirect: 'manual' });
  }

  it('the Trustly checkout leads from the bank back to the shop', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const { url } = opened(await trustly.deposit());
    const first = await fetch(url);
    assert.equal(first.headers.get('x-frame-options'), null);
    const banks = await first.text();
    assert.match(banks, /no money moves/);
    assert.match(banks, /12\.34 EUR/);
    assert.doesNotMatch(banks, /<script|https?:\/\//);
    const logIn = await (await submit(trustly, banks, 'bank')).text();
    const again = await (await submit(trustly, logIn, 'login', { code: '0000' })).text();
    assert.match(again, /role="alert"/);
    const agree = await (await submit(trustly, again, 'login', { code: '1234' })).text();
    assert.ok(formsOf(agree).every(({ target }) => target === '_top'));
    const back = await submit(trustly, agree, 'agree');
    assert.deepEqual([back.status, back.headers.get('location')], [303, 'https://shop.example/back?how=success']);
    assert.deepEqual(await untilNotified(trustly, 2), ['pending 12.34', 'credit 12.34']);
    const twice = await submit(trustly, agree, 'agree');
    assert.match(await twice.text(), /is over/);
    assert.deepEqual((await trustly.summary())['charged_over_once'], []);
    assert.equal((await trustly.summary())['credits'], 1);
  });

  it('a Trustly payer can go back, which cancels the order', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const { url } = opened(await trustly.deposit());
    const back = await submit(trustly, await (await fetch(url)).text(), 'cancel');
    assert.equal(back.headers.get('location'), 'https://shop.example/back?how=fail');
    assert.deepEqual(await untilNotified(trustly, 1), ['cancel']);
    assert.match(await (await fetch(url)).text(), /is over/);
  });

  it('the Trustly checkout requires the order’s session, and escapes every string', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const statement = '<script>alert("1")</script>';
    const { url } = opened(await trustly.deposit({ attributes: { ShopperStatement: statement, Firstname: '<b>' } }));
    assert.doesNotMatch(await (await fetch(url)).text(), /<script|<b>/);
    for (const address of [url.replace(/.$/, 'x'), `${trustly.url}/checkout`, `${url}&conduct=pay_twice`]) {
      assert.equal((await fetch(address)).status, 404, address);
    }
  });

  it('the Trustly checkout closes an order without a payer after a time', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    await trustly.deposit();
    trustly.clock.advance(15 * 60_000);
    assert.deepEqual(await untilNotified(trustly, 1), ['cancel']);
    assert.equal((await trustly.summary())['cancelled'], 1);
  });
});

describe('a payer at Trustly', () => {
  async function acting(t: TestContext, behaviour: string, faults: object = {}) {
    const trustly = await startTrustlyUnderTest(t);
    await trustly.control('faults', faults);
    const { orderid } = opened(await trustly.deposit());
    assert.equal((await trustly.control('act', { orderid, behaviour })).status, 200);
    return { trustly, orderid };
  }

  it('the payment of a slow Trustly payer is credited later', async (t) => {
    const { trustly } = await acting(t, 'pay_slowly');
    assert.deepEqual(await untilNotified(trustly, 1), ['pending 12.34']);
    trustly.clock.advance(10_000);
    assert.deepEqual(await untilNotified(trustly, 2), ['pending 12.34', 'credit 12.34']);
  });

  it('the order of a Trustly payer who agrees and never pays is cancelled', async (t) => {
    const { trustly } = await acting(t, 'never_settle');
    await untilNotified(trustly, 1);
    trustly.clock.advance(10_000);
    assert.deepEqual(await untilNotified(trustly, 2), ['pending 12.34', 'cancel']);
    assert.equal((await trustly.summary())['balance'], '0.00');
  });

  it('a Trustly payment that never arrives is debited after its credit', async (t) => {
    const { trustly } = await acting(t, 'pay_and_fail');
    await untilNotified(trustly, 2);
    trustly.clock.advance(30_000);
    assert.deepEqual(await untilNotified(trustly, 3), ['pending 12.34', 'credit 12.34', 'debit 12.34']);
    const { debits, balance } = await trustly.summary();
    assert.deepEqual([debits, balance], [1, '0.00']);
  });

  const amounts: readonly (readonly [behaviour: string, notified: string[]])[] = [
    ['pay_less', ['pending 12.34', 'credit 11.34']],
    ['pay_more', ['pending 12.34', 'credit 13.34']],
    ['pay_twice', ['pending 12.34', 'credit 12.34', 'credit 12.34']],
  ];
  it('a Trustly payer can pay a different amount, or twice', async (t) => {
    await eachOf(amounts, async ([behaviour, notified]) => {
      const { trustly } = await acting(t, behaviour);
      assert.deepEqual(await untilNotified(trustly, notified.length), notified);
      const ids = trustly.inbox.received.map(({ body }) => {
        return (body['params'] as { data: { notificationid: string } }).data.notificationid;
      });
      assert.equal(new Set(ids).size, notified.length, 'each credit has its own notificationid');
      assert.equal(
        ((await trustly.summary())['charged_over_once'] as unknown[]).length,
        behaviour === 'pay_twice' ? 1 : 0,
      );
    });
  });

  it('a Trustly payer acts once on an order, and never on an unknown order', async (t) => {
    const { trustly, orderid } = await acting(t, 'pay');
    assert.equal((await trustly.control('act', { orderid, behaviour: 'cancel' })).status, 409);
    assert.equal((await trustly.control('act', { orderid: '1', behaviour: 'pay' })).status, 400);
    assert.equal((await trustly.control('act', { orderid, behaviour: 'constructor' })).status, 400);
  });

  it('a Trustly notification includes the payer’s account when the fault include_account is on', async (t) => {
    const { trustly } = await acting(t, 'pay', { include_account: true });
    assert.deepEqual(await untilNotified(trustly, 3), ['pending 12.34', 'account', 'credit 12.34']);
  });
});

describe('a notification of Trustly', () => {
  const verified = (message: Readonly<Record<string, unknown>>) => {
    const { signature, uuid, data } = message['params'] as { signature: string; uuid: string; data: unknown };
    return isTrustlys(String(message['method']), uuid, data, signature);
  };

  async function paid(t: TestContext, faults: object) {
    const trustly = await startTrustlyUnderTest(t);
    await trustly.control('faults', faults);
    const { orderid } = opened(await trustly.deposit());
    await trustly.control('act', { orderid, behaviour: 'pay' });
    return trustly;
  }

  it('a Trustly notification is signed with either hash', async (t) => {
    await eachOf(['RS256', 'SHA1'], async (hash) => {
      const trustly = await paid(t, { hash });
      await untilNotified(trustly, 2);
      for (const { body } of trustly.inbox.received) {
        assert.ok(verified(body));
        const { signature } = body['params'] as { signature: string };
        assert.equal(signature.startsWith('alg=RS256;'), hash === 'RS256');
      }
    });
  });

  it('a Trustly notification is repeated under the same number until the client’s signed OK', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const { answer } = trustly.inbox;
    const wrong = [
      () => ({ status: 500, body: '{}' }),
      () => ({ status: 200, body: 'OK' }),
      ({ body }: { body: Readonly<Record<string, unknown>> }) => ({
        status: 200,
        body: acknowledgement(body, 'FAILED'),
      }),
      ({ body }: { body: Readonly<Record<string, unknown>> }) => {
        return {
          status: 200,
          body: acknowledgement(body).replace(/"signature":"[^"]+"/, '"signature":"alg=RS256;AA=="'),
        };
      },
    ];
    trustly.inbox.answer = (message) => (wrong.shift() ?? answer)(message);
    await trustly.deposit();
    trustly.clock.advance(15 * 60_000);
    for (let count = 1; count <= 5; count++) {
      await eventually(`attempt ${count}`, () => trustly.notified().length === count);
      await aWhile();
      trustly.clock.advance(60_000);
    }
    await aWhile();
    assert.equal(trustly.notified().length, 5);
    assert.equal(new Set(trustly.inbox.received.map(({ raw }) => raw)).size, 1);
  });

  it('faults forge a Trustly notification, or put a different amount under a valid signature', async (t) => {
    for (const notifications of ['forged', 'foreign_key']) {
      const trustly = await paid(t, { notifications });
      await untilNotified(trustly, 2);
      assert.ok(trustly.inbox.received.every(({ body }) => !verified(body)));
    }
    const wrong = await paid(t, { notifications: 'wrong_amount' });
    assert.deepEqual(await untilNotified(wrong, 2), ['pending 999999.99', 'credit 999999.99']);
    assert.ok(wrong.inbox.received.every(({ body }) => verified(body)));
  });

  it('a fault makes Trustly send a notification before the response to its Deposit', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    await trustly.control('faults', { deposits: 'paid_before_reply' });
    await trustly.deposit();
    assert.deepEqual(trustly.notified(), ['pending 12.34', 'credit 12.34']);
  });
});

describe('the call faults of Trustly', () => {
  it('the Trustly fault accept_unanswered drops the first response, and a repeated call gets it', async (t) => {
    await eachOf(['accept_unanswered', 'lose'], async (deposits) => {
      const trustly = await startTrustlyUnderTest(t, { delays: { holdMs: 50 } });
      await trustly.control('faults', { deposits });
      const change = { UUID: '358a2184-2842-b485-25ca-293525152425' };
      const held = assert.rejects(trustly.deposit({ MessageID: 'm' }, change));
      await eventually('accepted', async () => deposits === 'lose' || (await trustly.summary())['orders'] === 1);
      await aWhile();
      trustly.clock.advance(50);
      await held;
      await trustly.control('faults', { deposits: 'accept' });
      assert.ok(opened(await trustly.deposit({ MessageID: 'm' }, change)).url);
      assert.equal((await trustly.summary())['orders'], 1);
    });
  });

  it('the Trustly faults accept_500, refuse, error_620 and foreign_key change the response to a Deposit', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const under = async (deposits: string) => {
      await trustly.control('faults', { deposits });
      return trustly.deposit();
    };
    assert.equal((await under('accept_500')).status, 500);
    assert.equal(errorOf(await under('refuse')), 638);
    assert.equal(errorOf(await under('error_620')), 620);
    const { signature, uuid, data } = (await under('foreign_key')).body['result'] as Record<string, string>;
    assert.ok(!isTrustlys('Deposit', uuid ?? '', data, signature));
    assert.equal((await trustly.summary())['orders'], 2);
  });
});

describe('the restart of Trustly', () => {
  it('a Trustly restart keeps every order and every pending notification', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'trustly-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [bookPath, clock, inbox] = [join(folder, 'book.jsonl'), new ManualClock(), await acknowledgingInbox(t)];
    const { answer } = inbox;
    inbox.answer = () => ({ status: 500, body: '{}' });
    const first = await startTrustlyUnderTest(t, { bookPath, clock, inbox });
    const change = { UUID: '358a2184-2842-b485-25ca-293525152425' };
    const data = { MessageID: 'm', NotificationURL: inbox.url };
    const { orderid, url } = opened(await first.deposit(data, change));
    await first.control('act', { orderid, behaviour: 'pay_slowly' });
    await untilNotified(first, 1);
    await first.close();
    inbox.answer = answer;
    const second = await startTrustlyUnderTest(t, { bookPath, clock, inbox });
    assert.deepEqual(await untilNotified(second, 2), ['pending 12.34', 'pending 12.34']);
    clock.advance(10_000);
    assert.deepEqual((await untilNotified(second, 3)).at(-1), 'credit 12.34');
    const again = opened(await second.deposit(data, change));
    assert.deepEqual([again.orderid, new URL(again.url).search], [orderid, new URL(url).search]);
    assert.equal((await second.control('reset', {})).status, 409);
    await second.close();
    const third = await startTrustlyUnderTest(t, { bookPath, clock, inbox });
    await aWhile();
    assert.equal(third.notified().length, 3);
  });
});

describe('the key of Trustly', () => {
  it('Trustly’s key is created once, with its public part where the client reads it', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'trustly-keys-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [own, shown] = [join(folder, 'a', 'own.pem'), join(folder, 'b', 'public.pem')];
    assert.equal(publicKeyFile(shown)(), undefined);
    const key = ownPrivateKey(own, shown);
    assert.ok(ownPrivateKey(own, shown).equals(key));
    assert.equal(publicKeyFile(shown)()?.asymmetricKeyType, 'rsa');
    assert.throws(() => ownPrivateKey('/dev/null/key.pem', shown), /cannot be opened or created/);
  });
});
