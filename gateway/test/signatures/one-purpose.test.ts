/**
 * A signature has one purpose (decision 1): no string that is signed for one message verifies for another. One search looks
 * for a shared string in all pairs of well-formed messages. The other tries all requests that an attacker can cut out of a
 * signed string, including links with text that a customer typed. Each search must find the historical attacks when the old
 * behaviour is restored.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keysByPurpose } from '../../src/domain/merchants/merchant.ts';
import { merchantIdFault } from '../../src/domain/merchants/merchant-rules.ts';
import { CURRENCIES } from '../../src/foundation/currency.ts';
import { createSeededRandom } from '../../src/foundation/random.ts';
import { ok } from '../../src/foundation/result.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { checkFormSignature } from '../../src/protocol/form/request/read-form-request.ts';
import type { JsonObject } from '../../src/protocol/http/json-body.ts';
import { type Covered, createAuthenticate } from '../../src/protocol/payout/authenticate-request.ts';
import { createPaymentBalance } from '../../src/protocol/payout/payment-balance.ts';
import { createPaymentList } from '../../src/protocol/payout/payment-list.ts';
import type { PayoutEndpoint } from '../../src/protocol/payout/payout-endpoint.ts';
import { createPayoutSend } from '../../src/protocol/payout/payout-send.ts';
import { createPayoutStatus } from '../../src/protocol/payout/payout-status.ts';
import { md5Sign, signedSet } from '../../src/protocol/signatures/merchant-signature.ts';
import { testKey } from '../support/merchants/merchant-keys.ts';
import { merchantNamed } from '../support/merchants/merchant-named.ts';
import { WIRE_FORM_KEY, WIRE_KEY } from '../support/merchants/wire-merchants.ts';
import { EXAMPLE_PAYOUTS } from '../support/payouts/payout-request.ts';
import { type Body, cutInto } from './cut-text.ts';
import { FORM, MESSAGES, REQUESTS, type SignedMessage } from './messages.ts';
import { type Keys, sharedText, valuesOf } from './same-text.ts';

const KEYS: Keys = { api: WIRE_KEY, form: WIRE_FORM_KEY, empty: '' };
/** The old behaviour: one key for links and for everything else. */
const ONE_KEY: Keys = { ...KEYS, form: WIRE_KEY };

/** Values as merchants and the gateway write them, and values that are valid in several fields. */
const POOL: readonly string[] = [
  ...CURRENCIES,
  ...Object.values(EXAMPLE_PAYOUTS).flatMap((fields) => Object.values(fields)),
  ...Object.keys(EXAMPLE_PAYOUTS),
  '026',
  '034',
  '0',
  '40',
  '50',
  '99',
  'A17',
  'N17',
  '1',
  '10',
  '12',
  '1001',
  '9999999999',
  '10.00',
  '990.00',
  '0.00',
  '000002',
  '123456789',
  'Success',
  'Pending',
  'Blocked',
  'Error',
  'success',
  'fail',
  'all',
  'pending',
  'blocked',
  'deposit',
  'withdrawal',
  'Completed',
  'Queued',
  'Expired',
  'Declined by the bank',
  'Sign error',
  'Payout not found',
  '',
  '2026-11-20',
  '2026-11-21',
  '2026-11-20 10:00:00',
  '2026-11-21 10:05:00',
  '2026-11-20 00:00:34',
  '::1',
  '2001:db8::5',
  '1:2:3:4:5:6:7:8',
  '2026:11:20:10:00:00::',
  '::ffff:203.0.113.7',
];

/** Every valid id can be a merchant's id, even a card number or a value of another field. */
const MERCHANTS = [...new Set([...POOL, 'M1', 'M1VJDHSI6DYXS'])].filter((id) => merchantIdFault(id) === undefined);

function pairs(): [SignedMessage, SignedMessage][] {
  return MESSAGES.flatMap((one, at) =>
    MESSAGES.slice(at + 1).map((other): [SignedMessage, SignedMessage] => [one, other]),
  );
}

/** True if both messages belong to the same endpoint: it has one purpose, whichever optional fields are sent. */
function isOfOneKind([{ name: one }, { name: other }]: [SignedMessage, SignedMessage]): boolean {
  const kind = (name: string) => name.replace(/ (?:after|limit|with rate).*$/, '');
  return kind(one) === kind(other);
}

function sharedTexts(keys: Keys, merchants: readonly string[]): string[] {
  const ofTwoKinds = pairs().filter((pair) => !isOfOneKind(pair));
  return merchants.flatMap((merchant) => {
    const values = new Map(MESSAGES.map((message) => [message, valuesOf(message, POOL, merchant, keys)]));
    return ofTwoKinds.flatMap(([one, other]) => {
      const [left, right] = [values.get(one), values.get(other)];
      const text = left && right && sharedText(left, right);
      return text === undefined ? [] : [`${one.name} = ${other.name} of ${merchant}: ${text}`];
    });
  });
}

describe('texts of two signed messages', () => {
  it('two signed messages never have the same string to sign, whatever the merchant’s id', () => {
    assert.ok(MERCHANTS.length > 40 && MESSAGES.length > 25);
    for (const { name, fields } of MESSAGES)
      for (const [field, holds] of Object.entries(fields))
        assert.ok(
          [...POOL, 'M1'].some((text) => holds(text, 'M1')),
          `${name} has a value for ${field}`,
        );
    assert.deepEqual(sharedTexts(KEYS, MERCHANTS), []);
  });

  it('the forgery search finds a shared string to sign once links and responses share one key', () => {
    assert.match(sharedTexts(ONE_KEY, ['10.00']).join(), /form = balance reply of 10\.00/);
  });

  it('the forgery search finds a shared string to sign once a merchant’s id may look like a currency', () => {
    assert.match(sharedTexts(KEYS, ['USD']).join(), /status = balance of USD/);
  });
});

interface Endpoint {
  readonly message: SignedMessage;
  /** Resolves to whether the gateway accepts the body as signed. */
  readonly verifies: (body: Body, sign: string, merchant: string) => Promise<boolean>;
}

/** The tests use only the covered fields, which need no parts of the endpoint. */
const NONE = undefined as never;
const ENDPOINTS: Readonly<Record<string, Pick<PayoutEndpoint, 'cover'>>> = {
  payout: createPayoutSend(NONE, NONE),
  status: createPayoutStatus({ payouts: NONE, recovery: NONE, isListed: NONE }),
  balance: createPaymentBalance(NONE),
  list: createPaymentList(NONE, NONE, NONE, NONE),
};

function coverOf({ name }: SignedMessage): (body: JsonObject) => Covered {
  return ENDPOINTS[name.split(' ')[0] ?? '']?.cover ?? coverAll;
}

/** The old behaviour: the signature covers every field of the request, with any value. */
function coverAll(body: JsonObject): Covered {
  const names = [...body.keys()].filter((name) => name !== 'sign');
  return ok({
    texts: new Map(names.map((name) => [name, String(body.get(name))])),
    set: signedSet(names, { withColon: new Set(names) }),
  });
}

function endpoints(keys: Keys, cover = coverOf): Endpoint[] {
  const found = (merchantId: string) => ({
    merchant: merchantNamed(merchantId),
    keys: keysByPurpose([testKey(keys.api), testKey(keys.form, { purpose: 'form' })]),
  });
  const authenticate = createAuthenticate({
    directory: { find: async (merchantId) => found(merchantId), keyUsed: () => {} },
    random: createSeededRandom('one purpose'),
    slowdown: { wrongSignature: async () => 0, rightSignature: () => {} },
  });
  const rate = { setting: 'payout_rate_limit', defaultPerSecond: 0, limiter: { take: () => 0 } } as const;
  return REQUESTS.map((message) => ({
    message,
    async verifies(body, sign, merchant) {
      const fields = new Map([...body, ['sign', sign]]);
      if (message === FORM) return checkFormSignature(fields, found(merchant)).ok;
      const received = { raw: Buffer.alloc(0), fields };
      const headers = { xMerchant: undefined, xSign: undefined, clientAddress: '192.0.2.1' };
      return (await authenticate({ received, covered: cover(message)(fields), ...headers }, rate)).ok;
    },
  }));
}

function firstValues({ fields }: SignedMessage, merchant: string): [string, string][] {
  const of = (holds: SignedMessage['fields'][string]) =>
    [merchant, ...POOL].find((text) => holds(text, merchant)) ?? '';
  return Object.entries(fields).map(([name, holds]) => [name, of(holds)]);
}

interface Signed {
  readonly by: SignedMessage;
  readonly texts: ReadonlyMap<string, string>;
}

function joined(texts: ReadonlyMap<string, string>): string {
  return [...texts.keys()]
    .sort()
    .map((name) => texts.get(name))
    .join(':');
}

/** Returns a message of each kind, and links with text that a customer typed. */
function signedBy(merchant: string): Signed[] {
  const plain = MESSAGES.map((by) => ({ by, texts: new Map(firstValues(by, merchant)) }));
  const typed = REQUESTS.flatMap((wanted) => typedFor(joined(new Map(firstValues(wanted, merchant))), merchant));
  return [
    ...plain,
    ...typed.map((change) => ({ by: FORM, texts: new Map([...firstValues(FORM, merchant), ...change]) })),
  ];
}

/** Returns link fields whose text contains `wanted`, or equals it if the merchant's id has the right position. */
function typedFor(wanted: string, merchant: string): [string, string][][] {
  const parts = wanted.split(':');
  const whole: [string, string][] = [
    ['amount', parts.slice(0, -3).join(':')],
    ['currency', parts.at(-3) ?? ''],
    ['order', parts.at(-1) ?? ''],
  ];
  return [[['amount', wanted]], [['order', wanted]], ...(parts.at(-2) === merchant ? [whole] : [])];
}

/**
 * Returns `link → payout 34` for each request that verifies although a different message was signed, and the number of
 * requests tried.
 */
async function forgeries(keys: Keys, cover?: typeof coverOf): Promise<{ found: Set<string>; tried: number }> {
  const found = new Set<string>();
  let tried = 0;
  for (const merchant of ['M1', 'M1VJDHSI6DYXS', '34', '10.00']) {
    for (const { by, texts } of signedBy(merchant)) {
      const sign = md5Sign(texts, new Secret(keys[by.key]));
      for (const { message, verifies } of endpoints(keys, cover)) {
        if (message === by || isOfOneKind([message, by])) continue;
        for (const body of cutInto(message, joined(texts), merchant)) {
          tried += 1;
          if (await verifies(body, sign, merchant)) found.add(`${by.name} → ${message.name}`);
        }
      }
    }
  }
  return { found, tried };
}

describe('requests cut out of a string to sign', () => {
  it('a request cut out of a string to sign never verifies', async () => {
    const { found, tried } = await forgeries(KEYS);
    assert.deepEqual([...found], []);
    assert.ok(tried > 100, `${tried} requests were tried`);
  });

  it('the forgery search finds balance, status and payout requests in a signed link under one key, over any fields', async () => {
    const { found } = await forgeries(ONE_KEY, () => coverAll);
    for (const attack of ['form → balance', 'form → status', 'form → payout 34']) assert.ok(found.has(attack), attack);
  });

  it('the forgery search finds a payout in a signed link of a merchant called 34, under one key and over exact fields', async () => {
    const { found } = await forgeries(ONE_KEY);
    assert.ok(found.has('form → payout 34'));
    assert.ok(!found.has('form → balance'));
  });

  it('the forgery search finds a balance request in a signed payout over any fields, under two keys', async () => {
    const { found } = await forgeries(KEYS, () => coverAll);
    assert.ok(found.has('payout 8 → balance'));
    assert.deepEqual(
      [...found].filter((attack) => attack.startsWith('form ')),
      [],
    );
  });

  it('every signed request verifies at its own endpoint', async () => {
    for (const { message, verifies } of endpoints(KEYS)) {
      const texts = new Map(firstValues(message, 'M1'));
      assert.ok(await verifies(texts, md5Sign(texts, new Secret(KEYS[message.key])), 'M1'), message.name);
    }
  });
});
