/** Every documented rejection of the payout endpoints, its cause, and the order of precedence when several apply. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { errorReply, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { ALL_METHODS, EXAMPLE_PAYOUTS, type RequestFields, signOver } from '../../support/payouts/payout-request.ts';

const SEND = '/merchant/api/payout_send';
const CARD_SIGNED = ['merchant', 'method', 'payout_id', 'account', 'amount', 'currency'];
/** A port without a listener. The rail's methods exist, but none of their payouts is ever paid. */
const NOWHERE = 'http://127.0.0.1:9';
const OPTIONAL: Readonly<Record<number, readonly string[]>> = { 26: ['full_name'] };

let gateway: RunningGateway;
let merchant: TestMerchant;
before(async () => {
  gateway = await startGateway({ variables: { RAZORPAYX_URL: NOWHERE } });
  merchant = await gateway.merchant();
});
after(() => gateway.verifyAndStop());

function swapCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

async function rowsOf(owner: TestMerchant): Promise<number> {
  const { rows } = await gateway.database.pool.query(
    'select count(*)::int as rows from payouts where merchant_id = $1',
    [owner.id],
  );
  return rows[0].rows;
}

describe('missing fields', () => {
  for (const method of ALL_METHODS) {
    const mandatory = Object.keys(EXAMPLE_PAYOUTS[method] ?? {}).filter((name) => !OPTIONAL[method]?.includes(name));
    it(`a payout by method ${method} without a mandatory field is rejected: ${mandatory.join(', ')}`, async () => {
      for (const field of ['amount', ...mandatory]) {
        for (const nothing of [undefined, null]) {
          const reply = await merchant.pay(method, `missing-${field}`, { [field]: nothing });
          assert.deepEqual(reply, errorReply(`Invalid ${field}`), field);
        }
      }
    });
  }

  it('a payout without merchant, method or payout_id is rejected', async () => {
    for (const field of ['merchant', 'method', 'payout_id']) {
      const { [field]: _gone, ...body } = merchant.request(1, 'incomplete');
      assert.deepEqual(await merchant.ask(SEND, body), errorReply(`Invalid ${field}`));
    }
  });

  it('a payout without a signature is rejected with Sign error', async () => {
    const { sign: _gone, ...body } = merchant.request(1, 'unsigned');
    assert.deepEqual(await merchant.ask(SEND, body), errorReply('Sign error'));
  });

  it('a payout without an optional field is accepted, unless the only rail of its method needs the field', async () => {
    assert.equal((await merchant.pay(16, 'no-name', { full_name: undefined }))['status'], 'Pending');
    assert.equal((await merchant.pay(26, 'named'))['status'], 'Pending');
    const reply = await merchant.pay(26, 'no-name-26', { full_name: undefined });
    assert.deepEqual(reply, errorReply('Invalid full_name'));
  });
});

describe('wrong signatures', () => {
  const WRONG: Readonly<Record<string, (body: RequestFields, key: string) => unknown>> = {
    // Swap the case of every letter. Upper case alone would not change a signature without lower-case letters.
    'in the other letter case': ({ sign }) => String(sign).replaceAll(/[a-z]/gi, swapCase),
    'cut short': ({ sign }) => String(sign).slice(0, -1),
    'with a trailing space': ({ sign }) => `${sign} `,
    empty: () => '',
    null: () => null,
    'a number': () => 1,
    'in hexadecimal': ({ sign }) => Buffer.from(String(sign), 'base64').toString('hex'),
    'with the empty key': (body) => signOver(body, CARD_SIGNED, ''),
    'with another key': (body, key) => signOver(body, CARD_SIGNED, `${key}x`),
    'over all fields': (body, key) => signOver(body, 'all', key),
    'over too few fields': (body, key) => signOver(body, CARD_SIGNED.slice(1), key),
  };
  for (const [what, wrong] of Object.entries(WRONG)) {
    it(`a payout is rejected and not stored when its signature is invalid: ${what}`, async () => {
      const asker = await gateway.merchant();
      const body = { ...asker.request(1, 'wrong-sign'), full_name: 'Jo Do' };
      const sign = wrong(body, asker.key);
      const reply = await asker.ask(SEND, { ...body, sign });
      assert.deepEqual(reply, errorReply('Sign error'), `sent ${sign}`);
      assert.equal(await rowsOf(asker), 0);
    });
  }

  for (const method of ALL_METHODS) {
    it(`a payout by method ${method} is rejected when another method’s fields are signed`, async () => {
      const asker = await gateway.merchant();
      const { sign: _right, ...request } = asker.request(method, 'wrong-set');
      const isClosed = method === 34;
      const body = { ...request, full_name: 'Jo Do', ...(isClosed ? {} : { note: 'x' }) };
      const wrongSet = isClosed ? CARD_SIGNED : 'all';
      const answered = await asker.ask(SEND, { ...body, sign: signOver(body, wrongSet, asker.key) });
      assert.deepEqual(answered, errorReply('Sign error'));
      if (method === 26 || method === 92) {
        const cardSet = { ...body, sign: signOver(body, CARD_SIGNED, asker.key) };
        assert.deepEqual(await asker.ask(SEND, cardSet), errorReply('Sign error'));
      }
    });
  }

  it('a payout signed with another merchant’s key is rejected', async () => {
    const other = await gateway.merchant();
    const body = merchant.request(1, 'borrowed');
    assert.deepEqual(await other.ask(SEND, { ...body, merchant: other.id }), errorReply('Sign error'));
  });

  it('repeated invalid signatures delay the guesser’s responses and not the merchant’s own requests', async () => {
    const guessed = await gateway.merchant();
    const guess = async () => {
      const startedAt = Date.now();
      const reply = await guessed.ask(SEND, { ...guessed.request(1, 'guess'), sign: `${'A'.repeat(22)}==` });
      assert.deepEqual(reply, errorReply('Sign error'));
      return Date.now() - startedAt;
    };
    for (let index = 0; index < 11; index++) await guess();
    const slow = Promise.all([guess(), guess(), guess(), guess(), guess()]);
    const own = guessed.pay(1, 'own');
    assert.equal(await Promise.race([slow.then(() => 'guesser'), own.then(() => 'merchant')]), 'merchant');
    assert.equal((await own)['status'], 'Pending');
    assert(Math.max(...(await slow)) >= 3_000, 'each further answer takes twice as long');
  });
});

describe('invalid field values', () => {
  const WRONG: readonly (readonly [number, string, string])[] = [
    [9, 'account', '4111111111111112'],
    [9, 'account', '411111111111'],
    [9, 'payout_id', '0'],
    [9, 'payout_id', 'a/b'],
    [9, 'payout_id', 'x'.repeat(65)],
    [9, 'currency', 'eur'],
    [8, 'exp_date', '01/20'],
    [8, 'exp_date', '13/39'],
    [8, 'full_name', '4111111111111111'],
    [12, 'full_name', 'x'.repeat(101)],
    [22, 'account', '5555555555554444'],
    [23, 'account', '4111111111111111'],
    [24, 'account', '+77011234567'],
    [24, 'account', '79161234567'],
    [26, 'full_name', 'x'.repeat(31)],
    [26, 'customs_phone', '+929876543210'],
    [26, 'customs_ifsc', 'HDFC1000001'],
    [26, 'customs_ip', '256.1.1.1'],
    [26, 'customs_email', 'r@'],
    [34, 'account', 'UA213223130000026007233566002'],
    [34, 'account', 'DE89370400440532013000'],
    [34, 'full_name', 'Іван П'],
    [34, 'full_name', 'x'.repeat(31)],
    [34, 'customs_card', '5168742231234561'],
    [34, 'customs_inn', '31847106'],
    [70, 'account', '1'.repeat(11)],
    [70, 'account', '1'.repeat(20)],
    [92, 'account', 'jo@'],
    [92, 'full_name', 'x'.repeat(31)],
    [93, 'customs_birthday', '31-02-1988'],
    [93, 'customs_birthday', '1988-02-28'],
    [93, 'customs_phone', '4915112345678'],
    [93, 'customs_country', 'XX'],
    [93, 'customs_user_id', 'u 17'],
  ];
  for (const [method, field, value] of WRONG) {
    it(`a payout by method ${method} is rejected with the field’s name: ${field} = ${value.slice(0, 35)}`, async () => {
      assert.deepEqual(await merchant.pay(method, 'wrong-value', { [field]: value }), errorReply(`Invalid ${field}`));
    });
  }

  it('a rejected payout request does not store a payout', async () => {
    assert.deepEqual(await merchant.status('wrong-value'), errorReply('Payout not found'));
  });

  it('the sandbox’s success card has no special effect in a real currency', async () => {
    assert.equal((await merchant.pay(1, 'sandbox-card', { account: '4111111111111111' }))['status'], 'Pending');
  });
});

describe('the order of rejections', () => {
  it('payout_send reports the first failing check: merchant, signature, address, rate, existing id, formats, method, limits, balance', async () => {
    const settings = {
      ip_allow_list: '203.0.113.0/24',
      payout_rate_limit: '1',
      disabled_methods: '16',
      'max_amount.16.UAH': '500.00',
    };
    const poor = await gateway.merchant({ settings, funds: { UAH: '100.00' } });
    const bad = { account: 'no card', amount: '600.00' };
    const edit = (change: Record<string, string | null>) => changeSettings(gateway, poor, change);

    const unknown = { ...poor.request(16, 'x', bad), merchant: 'Nobody' };
    assert.deepEqual(await poor.ask(SEND, unknown), errorReply('Merchant not found'));
    assert.deepEqual(await poor.ask(SEND, { ...poor.request(16, 'x', bad), sign: 'x' }), errorReply('Sign error'));
    assert.deepEqual(await poor.pay(16, 'x', bad), errorReply('Address not allowed'));
    await edit({ ip_allow_list: null });
    const answers = await Promise.all([1, 2, 3].map((id) => poor.pay(1, `known-${id}`)));
    assert(answers.some((reply) => reply['description'] === 'Too many requests'));
    await edit({ payout_rate_limit: null });
    await poor.pay(1, 'known-1');
    assert.deepEqual(await poor.pay(16, 'known-1', bad), errorReply('Payout id already used'));
    assert.deepEqual(await poor.pay(16, 'x', bad), errorReply('Invalid account'));
    assert.deepEqual(
      await poor.pay(16, 'x', { amount: '600.00', currency: 'USD' }),
      errorReply('Currency not supported'),
    );
    assert.deepEqual(await poor.pay(16, 'x', { amount: '600.00' }), errorReply('Method unavailable'));
    await edit({ disabled_methods: null });
    assert.deepEqual(await poor.pay(16, 'x', { amount: '600.00' }), errorReply('Amount out of limits'));
    assert.deepEqual(await poor.pay(16, 'x', { amount: '500.00' }), errorReply('Insufficient funds'));
  });

  it('an unknown method is reported only to an authenticated merchant', async () => {
    assert.deepEqual(await merchant.pay(2, 'no-method'), errorReply('Method unavailable'));
    const body = { ...merchant.request(2, 'no-method'), sign: 'x' };
    assert.deepEqual(await merchant.ask(SEND, body), errorReply('Sign error'));
    assert.deepEqual(await merchant.pay(1000, 'no-method'), errorReply('Invalid method'));
  });
});

/** Changes settings, then waits, because the gateway caches merchants for one second. */
async function changeSettings(
  { operations }: RunningGateway,
  { id }: TestMerchant,
  settings: Readonly<Record<string, string | null>>,
): Promise<void> {
  const edited = await operations.merchants.edit(id, { profile: {}, settings });
  assert(edited.ok);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
}
