/**
 * Settings by an operator or a merchant: suspension, keys, allow-list, rate limits, X-Sign, HTTP codes, fees, amount limits
 * and cancellation.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { untilPaused } from '../../support/gateway/until-paused.ts';
import { errorReply, provenReply, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { fullySigned, post, xSignHeaders } from '../../support/payouts/payout-request.ts';
import { assertGenuine } from '../../support/servers/callback-receiver.ts';
import { until } from '../../support/tools/until.ts';
import { createHeldClock } from '../../support/tools/woken-clock.ts';

const SEND = '/merchant/api/payout_send';
/** The maximum delay until the gateway applies a change to a merchant. */
const NOTICED_MS = 1_050;

const clock = createHeldClock();
let gateway: RunningGateway;
before(async () => {
  gateway = await startGateway({ clock, variables: { TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => gateway.verifyAndStop());

describe('a suspended merchant', () => {
  it('a suspended merchant’s new payouts are rejected while pending payouts, queries and callbacks continue', async () => {
    const merchant = await gateway.merchant();
    await merchant.pay(1, 'under-way', { amount: '10.42' });
    await gateway.operations.merchants.suspend(merchant.id);
    await sleep(NOTICED_MS);
    assert.deepEqual(await merchant.pay(1, 'new'), errorReply('Merchant disabled'));
    assert.equal((await merchant.final('under-way'))['status'], 'Success');
    assert.equal((await merchant.balance('UAH'))['status'], 'Success');
    assert.equal((await merchant.list('UAH')).length, 1);
    await until('its callback', () => gateway.receiver.about(merchant.id, 'under-way')[0]);
    await gateway.operations.merchants.activate(merchant.id);
    await sleep(NOTICED_MS);
    assert.equal((await merchant.pay(1, 'new'))['status'], 'Pending');
  });
});

describe('rotation of a merchant’s key', () => {
  it('callbacks use the old key during a rotation until the merchant uses the new key', async () => {
    const old = await gateway.merchant();
    const rotated = await gateway.operations.merchants.rotateKey(old.id, {});
    assert(rotated.ok);
    const renewed = old.withKey(rotated.value.key.reveal());
    await sleep(NOTICED_MS);

    await old.pay(1, 'by-old');
    const first = await until('a callback', () => gateway.receiver.about(old.id, 'by-old')[0]);
    assertGenuine(first, old.key);
    assert.equal(String(first.headers['webhook-signature']).split(' ').length, 2, 'one signature per key');

    assert.equal((await renewed.pay(1, 'by-new'))['payout_id'], 'by-new');
    assert.equal((await old.status('by-new'))['payout_id'], 'by-new');
    await sleep(NOTICED_MS);
    await old.pay(1, 'after-use');
    const second = await until('a callback', () => gateway.receiver.about(old.id, 'after-use')[0]);
    assertGenuine(second, renewed.key);
  });

  it('a rotation without overlap revokes the old key immediately', async () => {
    const old = await gateway.merchant();
    const rotated = await gateway.operations.merchants.rotateKey(old.id, { overlapHours: 0 });
    assert(rotated.ok);
    await sleep(NOTICED_MS);
    assert.deepEqual(await old.pay(1, 'old'), errorReply('Sign error'));
    assert.equal((await old.withKey(rotated.value.key.reveal()).pay(1, 'new'))['status'], 'Pending');
  });

  it('no request under either key is rejected during a rotation under load', async () => {
    const old = await gateway.merchant();
    let done = false;
    const asking = (async () => {
      for (let index = 0; !done; index++) assert.equal((await old.pay(70, `old-${index}`))['status'], 'Success');
    })();
    const rotated = await gateway.operations.merchants.rotateKey(old.id, {});
    assert(rotated.ok);
    await sleep(NOTICED_MS);
    const renewed = old.withKey(rotated.value.key.reveal());
    for (let index = 0; index < 5; index++) {
      assert.equal((await renewed.pay(70, `new-${index}`))['status'], 'Success');
    }
    done = true;
    await asking;
  });
});

describe('a merchant’s IP allow-list', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('an allow-list admits only listed addresses, taken from a trusted proxy’s X-Forwarded-For', async () => {
    const merchant = await gateway.merchant({ settings: { ip_allow_list: '203.0.113.0/24, 2001:db8::/32' } });
    const answered = async (headers: Record<string, string>, id: string) =>
      (await merchant.ask(SEND, merchant.request(70, id), headers))['description'];
    assert.equal(await answered(from('203.0.113.77'), 'a'), 'Completed');
    assert.equal(await answered(from('2001:db8::1'), 'b'), 'Completed');
    assert.equal(await answered(from('198.51.100.1, 203.0.113.77'), 'c'), 'Completed');
    assert.equal(await answered(from('203.0.113.77, 198.51.100.1'), 'd'), 'Address not allowed');
    assert.equal(await answered(from('198.51.100.1'), 'e'), 'Address not allowed');
    assert.equal(await answered(from('nonsense'), 'f'), 'Address not allowed');
    assert.equal(await answered({}, 'g'), 'Address not allowed');
    const status = fullySigned({ merchant: merchant.id, payout_id: 'a' }, merchant.key);
    assert.deepEqual(await merchant.ask('/merchant/api/payout_status', status), errorReply('Address not allowed'));
  });

  it('an allow-list ignores X-Forwarded-For from an untrusted proxy', async () => {
    const open = await startGateway();
    try {
      const merchant = await open.merchant({ settings: { ip_allow_list: '203.0.113.7' } });
      const body = merchant.request(70, 'a');
      assert.deepEqual(await merchant.ask(SEND, body, from('203.0.113.7')), errorReply('Address not allowed'));
    } finally {
      await open.stop();
    }
  });
});

describe('rate limits', () => {
  it('a rate limit counts payouts and queries separately', async () => {
    const merchant = await gateway.merchant({ settings: { payout_rate_limit: '5', status_rate_limit: '1' } });
    clock.isHeld(true);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post(gateway.url + SEND, merchant.request(70, `r${index}`))),
    );
    const first = await merchant.status('r0');
    const asked = await Promise.all([1, 2, 3].map(() => merchant.balance('UAH')));
    clock.isHeld(false);
    const refused = answers.filter(({ status }) => status === 429);
    assert(refused.length >= 10 && refused.length <= 15, `${refused.length} of 20 requests were rejected`);
    for (const answer of refused) {
      assert.deepEqual(provenReply(answer, merchant.key), errorReply('Too many requests'));
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    assert.notEqual(first['description'], 'Too many requests', 'payouts use up no query');
    assert(asked.some((reply) => reply['description'] === 'Too many requests'));
    await sleep(1_000);
    assert.equal((await merchant.pay(70, 'later'))['status'], 'Success');
  });
});

describe('the X-Sign header', () => {
  const send = (merchant: TestMerchant, id: string, headers: (raw: string) => Record<string, string>) => {
    const raw = JSON.stringify(merchant.request(70, id));
    return merchant.ask(SEND, raw, headers(raw));
  };

  it('an invalid X-Sign is always rejected, and a missing X-Sign only if the merchant requires it', async () => {
    for (const payout_x_sign of ['required', 'optional']) {
      const merchant = await gateway.merchant({ settings: { payout_x_sign } });
      const right = (raw: string) => xSignHeaders(merchant.id, merchant.key, raw);
      assert.equal((await send(merchant, 'right', right))['status'], 'Success');
      const without = (await send(merchant, 'without', () => ({})))['description'];
      assert.equal(without, payout_x_sign === 'required' ? 'Sign error' : 'Completed');
      const wrong: Readonly<Record<string, (raw: string) => Record<string, string>>> = {
        'X-Sign over other bytes': (raw) => right(`${raw} `),
        'X-Sign of another merchant': (raw) => ({ ...right(raw), 'x-merchant': 'Other' }),
        'without X-Merchant': (raw) => ({ 'x-sign': right(raw)['x-sign'] ?? '' }),
        'X-Sign as base64 of raw bytes': (raw) => {
          const hex = Buffer.from(right(raw)['x-sign'] ?? '', 'base64').toString();
          return { ...right(raw), 'x-sign': Buffer.from(hex, 'hex').toString('base64') };
        },
        empty: (raw) => ({ ...right(raw), 'x-sign': '' }),
      };
      for (const [what, headers] of Object.entries(wrong)) {
        assert.deepEqual(await send(merchant, 'wrong', headers), errorReply('Sign error'), what);
      }
    }
  });

  it('X-Sign covers full_name, which the MD5 sign does not cover', async () => {
    const merchant = await gateway.merchant({ settings: { payout_x_sign: 'required' } });
    const raw = JSON.stringify({ ...merchant.request(1, 'named'), full_name: 'Jo Do' });
    const headers = xSignHeaders(merchant.id, merchant.key, raw);
    assert.deepEqual(await merchant.ask(SEND, raw.replace('Jo Do', 'Al Do'), headers), errorReply('Sign error'));
    assert.equal((await merchant.ask(SEND, raw, headers))['status'], 'Pending');
  });
});

describe('the setting strict_http_codes', () => {
  it('each rejection has a specific HTTP status with strict_http_codes on, and 200 with it off', async () => {
    for (const strict_http_codes of ['on', 'off']) {
      const settings = { strict_http_codes, disabled_methods: '16' };
      const merchant = await gateway.merchant({ settings, funds: { UAH: '50.00' } });
      await merchant.pay(1, 'used');
      const body = merchant.request(1, 'new');
      const asked: readonly (readonly [number, object])[] = [
        [401, { ...body, sign: 'x' }],
        [409, merchant.request(1, 'used', { amount: '1.00' })],
        [422, merchant.request(1, 'new', { account: '1' })],
        [422, merchant.request(16, 'new')],
        [422, merchant.request(1, 'new', { amount: '99.00' })],
      ];
      for (const [strict, request] of asked) {
        const answer = await post(gateway.url + SEND, request as Record<string, unknown>);
        assert.equal(answer.status, strict_http_codes === 'on' ? strict : 200, answer.text);
        assert.equal(provenReply(answer, merchant.key)['status'], 'Error');
      }
    }
  });
});

describe('fees and amount limits', () => {
  it('a payout reserves its amount and fee until its result', async () => {
    const settings = { 'fee_fixed.1.UAH': '1.00', 'fee_percent.1.UAH': '2.5' };
    const merchant = await gateway.merchant({ settings, funds: { UAH: '100.00' } });
    await merchant.pay(1, 'declined', { amount: '10.41' });
    assert.deepEqual([(await merchant.balance('UAH'))['reserved']], ['11.67']);
    assert.equal((await merchant.final('declined'))['status'], 'Blocked');
    assert.equal((await merchant.balance('UAH'))['balance'], '100.00');
    await merchant.pay(1, 'paid', { amount: '10.00' });
    await merchant.final('paid');
    const { balance, reserved } = await merchant.balance('UAH');
    assert.deepEqual([balance, reserved], ['88.75', '0.00']);
    const record = await gateway.operations.merchants.find(merchant.id);
    assert.equal(record?.balances.get('UAH')?.fees, 125n);
  });

  it('a payout is rejected when the balance covers its amount but not its fee', async () => {
    const merchant = await gateway.merchant({ settings: { 'fee_fixed.1.UAH': '0.01' }, funds: { UAH: '10.00' } });
    assert.deepEqual(await merchant.pay(1, 'a'), errorReply('Insufficient funds'));
    assert.equal((await merchant.pay(1, 'b', { amount: '9.99' }))['status'], 'Pending');
  });

  it('a payout at an amount limit is accepted, and a payout beyond it is rejected', async () => {
    const merchant = await gateway.merchant({ settings: { 'min_amount.1.UAH': '5.00', 'max_amount.1.UAH': '20.00' } });
    const answered = async (amount: string) => (await merchant.pay(1, `l${amount}`, { amount }))['description'];
    assert.deepEqual(await Promise.all(['4.99', '5.00', '5', '20', '20.00', '20.01'].map(answered)), [
      'Amount out of limits',
      'Queued',
      'Queued',
      'Queued',
      'Queued',
      'Amount out of limits',
    ]);
    assert.equal((await merchant.pay(16, 'other', { amount: '4.99' }))['description'], 'Queued');
  });
});

describe('cancelling by the operator', () => {
  it('the operator can cancel a payout that was never sent', async () => {
    const merchant = await gateway.merchant({ funds: { UAH: '1000.00' } });
    await gateway.operations.pauses.pause('merchant', merchant.id, 'for the test');
    await untilPaused(gateway, merchant, 1);
    const { balance } = await merchant.balance('UAH');
    await merchant.pay(1, 'cancelled');
    const key = { merchantId: merchant.id, payoutId: 'cancelled' };
    assert.deepEqual(await gateway.operations.payouts.cancel(key, 'asked for'), { ok: true, value: 'cancelled' });
    assert.deepEqual(await merchant.status('cancelled'), {
      status: 'Blocked',
      code: '55',
      payout_id: 'cancelled',
      description: 'Cancelled',
    });
    assert.equal((await merchant.balance('UAH'))['balance'], balance);
    const callback = await until('the callback', () => gateway.receiver.about(merchant.id, 'cancelled')[0]);
    assertGenuine(callback, merchant.key);
    assert.equal(callback.fields['code'], '55');
    assert.deepEqual(await gateway.operations.payouts.cancel(key, 'again'), { ok: false, error: 'already_final' });
    await gateway.operations.pauses.resume('merchant', merchant.id);

    await until('the pause is lifted', async () => {
      await merchant.pay(1, 'sent', { amount: '10.45' });
      const sent = await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId: 'sent' });
      return (sent?.attempts.length ?? 0) > 0;
    });
    const sent = { merchantId: merchant.id, payoutId: 'sent' };
    assert.deepEqual(await gateway.operations.payouts.cancel(sent, 'too late'), { ok: false, error: 'already_sent' });
    const nobody = { merchantId: merchant.id, payoutId: 'nobody' };
    assert.deepEqual(await gateway.operations.payouts.cancel(nobody, 'asked for'), {
      ok: false,
      error: 'payout_not_found',
    });
    assert.deepEqual(await gateway.bank.book(merchant.id, 'cancelled'), []);
  });
});
