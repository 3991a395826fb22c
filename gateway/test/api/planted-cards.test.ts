/**
 * Card numbers planted in every field of every endpoint, alone and inside other text. No table, no log line and no
 * record of PostgreSQL's write-ahead log contains one in the clear. Fields for other values either reject a card
 * number or seal it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TObject } from 'typebox';
import { type Endpoint, isAct } from '../../contract/endpoint.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../contract/endpoints.ts';
import { FORM_FIELDS } from '../../src/protocol/form/request/form-fields.ts';
import { FORM_REQUEST } from '../support/form-request.ts';
import { dumpTables } from '../support/hiding-places.ts';
import { depositRequest } from '../support/host-to-host-wire.ts';
import { manageClient, OF_NOTHING } from '../support/manage-client.ts';
import { ALL_METHODS, EXAMPLE_PAYOUTS, fullySigned, post, type WireAnswer } from '../support/payout-request.ts';
import { type RunningGateway, startGateway } from '../support/running-gateway.ts';
import type { TestMerchant } from '../support/test-merchant.ts';

const NOWHERE = 'https://127.0.0.1:1';
/** Every provider is configured and unreachable, so accepted requests are stored and wait. */
const PROVIDERS = [
  ...['ADYEN_TRANSFERS_URL', 'WAYFORPAY_URL', 'FREEDOM_PAY_URL', 'EPOINT_URL', 'RAZORPAYX_URL', 'DT_ONE_URL'],
  ...['VOPAY_URL', 'STP_URL', 'ADYEN_URL'],
];

let gateway: RunningGateway;
let merchant: TestMerchant;
let walBegins = '';
/** Card number to the field and notation in which it was sent. */
const planted = new Map<string, string>();

/** By place in an act of the management API. The vault seals the fields that may contain a card number. */
const acts = new Map<string, { readonly status: number; readonly isSealed: boolean }>();

/** A unique Visa card number: 453957, a running number, the check digit. */
function cardFor(name: string): string {
  const digits = `453957${String(100_000_000 + planted.size * 7919)}`;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  const card = digits + String((10 - (sum % 10)) % 10);
  planted.set(card, name);
  return card;
}

/**
 * The fields whose planted cards appear in the text. A masked card has stars after its first six digits, so it does
 * not match.
 */
function plantedIn(text: string): string[] {
  const found = [...text.matchAll(/4539[ -]?57\d{2}(?:[ -]?\d{4}){2}/g)];
  return found.map(([card]) => planted.get(card.replace(/[ -]/g, '')) ?? 'an unknown place');
}

/** Notations in which a person or a program may put a card number into a wrong field. */
const WRITTEN: Readonly<Record<string, (card: string) => string>> = {
  alone: (card) => card,
  'in groups': (card) => card.replace(/(\d{4})(?=\d)/g, '$1 '),
  'as a street': (card) => `Street 12, ${card}`,
  'as an e-mail address': (card) => `jo${card}@example.com`,
  'as a page': (card) => `https://shop.example/paid/${card}?card=${card}`,
};

type Notation = (typeof ALL_NOTATIONS)[number];
const ALL_NOTATIONS = Object.entries(WRITTEN);
let turn = 0;

/** The methods of payouts share their fields' readers, so each field has two notations, in rotation. The full run has all. */
function ofPayouts(): readonly Notation[] {
  if (process.env['TEST_FULL']) return ALL_NOTATIONS;
  turn = (turn + 2) % ALL_NOTATIONS.length;
  return [...ALL_NOTATIONS, ...ALL_NOTATIONS].slice(turn, turn + 2);
}

async function everywhere(
  endpoint: string,
  fields: readonly string[],
  send: (field: string, text: string) => Promise<unknown>,
  notations: () => readonly Notation[] = () => ALL_NOTATIONS,
): Promise<void> {
  for (const field of fields)
    for (const [way, write] of notations()) {
      await send(field, write(cardFor(`${endpoint}, ${field}, ${way}`)));
    }
}

before(async () => {
  gateway = await startGateway({
    withoutBank: true,
    variables: Object.fromEntries(PROVIDERS.map((name) => [name, NOWHERE])),
  });
  merchant = await gateway.merchant();
  const { rows } = await gateway.database.pool.query('select pg_walfile_name(pg_current_wal_lsn()) as file');
  walBegins = rows[0].file;
  let requests = 0;
  for (const method of ALL_METHODS) {
    const fields = [...Object.keys(EXAMPLE_PAYOUTS[method] ?? {}), 'merchant', 'payout_id', 'amount', 'sign', 'other'];
    const send = (field: string, text: string) => {
      requests += 1;
      return post(
        `${gateway.url}/merchant/api/payout_send`,
        merchant.request(method, `P${requests}`, { [field]: text }),
      );
    };
    await everywhere(`payout ${method}`, fields, send, ofPayouts);
  }
  await everywhere('status', ['payout_id', 'other'], (field, text) =>
    ask('/merchant/api/payout_status', { payout_id: 'P1', [field]: text }),
  );
  await everywhere('balance', ['currency', 'other'], (field, text) =>
    ask('/payment/balance', { currency: 'EUR', [field]: text }),
  );
  await everywhere('SPEI', [...Object.keys(depositRequest()), 'other'], (field, text) => {
    requests += 1;
    return merchant.requestDeposit(`D${requests}`, { [field]: text });
  });
  await everywhere('form', [...Object.keys(FORM_FIELDS), 'sign', 'lang', 'other'], async (field, text) => {
    requests += 1;
    const parameters = { ...FORM_REQUEST, merchant: merchant.id, order: `F${requests}`, [field]: text };
    const query = new URLSearchParams({ payment_type: 'card', ...parameters });
    const answer = await fetch(`${gateway.url}/payment/form?${query}`, { redirect: 'manual' });
    await answer.arrayBuffer();
  });
  await everywhere('list', ['order', 'start_date', 'finish_date', 'status', 'after', 'other'], (field, text) =>
    ask('/api/payment-list', { ...LIST, [field]: text }),
  );
  await overManagementApi();
});
after(() => gateway.verifyAndStop());

const LIST = {
  ...{ currency: 'EUR', order: '0', status: 'all', type: 'withdrawal' },
  ...{ start_date: '2026-11-20', finish_date: '2026-11-21' },
};

/** A valid value for each field of a body. Fields without one are optional, or only part of a sign-in. */
const bodyOf = (unique: string): Readonly<Record<string, unknown>> => ({
  ...{ merchantId: `M${unique}`, name: `N${unique}`, amount: '1.00', currency: 'EUR', reference: `R${unique}` },
  ...{ payoutId: `MP${unique}`, method: 9, fields: EXAMPLE_PAYOUTS[9], outcome: 'failed', items: [], hours: null },
  ...{ email: `p${unique}@example.com`, role: 'auditor', scopes: ['payouts:read'], days: 1, place: 1, weight: 1 },
  ...{ file: Buffer.from('amount\n1.00\n').toString('base64'), threshold: null, purpose: 'api', reason: 'asked' },
});

type Part = 'params' | 'query' | 'body' | 'fields' | 'settings';

/** The places where a caller of the management API can write a text. */
function placesOf(endpoint: Endpoint): [Part, string][] {
  const of = (part: Part, fields: object = {}) => Object.keys(fields).map((field): [Part, string] => [part, field]);
  const body = (endpoint.body as TObject | undefined)?.properties ?? {};
  return [
    ...of('params', endpoint.params.properties),
    ...of('query', endpoint.query.properties),
    ...of('body', body),
    ...('fields' in body ? of('fields', EXAMPLE_PAYOUTS[9]) : []),
    ...('settings' in body ? of('settings', { payout_rate_limit: '' }) : []),
  ];
}

/** The ids of merchants and banks may contain a card number, but none consists of one. */
function waysOf(endpoint: Endpoint, part: Part): string[] {
  return isAct(endpoint) && part !== 'params' ? ['alone', 'as an e-mail address'] : ['alone'];
}

/** Acts, and the reads that the audit log has with their query. */
const RECORDED = ENDPOINT_NAMES.filter((name) => {
  const endpoint: Endpoint = ENDPOINTS[name];
  return isAct(endpoint) || endpoint.showsPersonal || name.endsWith('.export');
});

/** The commands and the pages use this API as well. */
async function overManagementApi(): Promise<void> {
  const client = await manageClient(gateway);
  const payoutId = 'MANAGED';
  await post(`${gateway.url}/merchant/api/payout_send`, merchant.request(9, payoutId));
  const { headers } = await client.call('merchants.show', { params: { merchantId: merchant.id } });
  const objects = { ...OF_NOTHING, merchantId: merchant.id, payoutId, rail: 'stp', target: 'stp' };
  let requests = 0;
  for (const name of RECORDED) {
    const endpoint: Endpoint = ENDPOINTS[name];
    for (const [part, field] of placesOf(endpoint))
      for (const way of waysOf(endpoint, part)) {
        const text = WRITTEN[way]?.(cardFor(`${name}, ${part}, ${field}, ${way}`)) ?? '';
        const all = bodyOf(`${++requests}`);
        const known = Object.keys((endpoint.body as TObject | undefined)?.properties ?? {}).filter(
          (each) => each in all,
        );
        const call: Record<Part, Record<string, unknown>> = {
          params: { ...objects },
          query: Object.fromEntries((endpoint.query.required ?? []).map((each: string) => [each, 'x'])),
          body: Object.fromEntries(known.map((each) => [each, all[each]])),
          fields: { ...EXAMPLE_PAYOUTS[9] },
          settings: {},
        };
        call[part][field] = text;
        if (part === 'fields' || part === 'settings') call.body[part] = call[part];
        const { params, query, body } = call;
        const { status } = await client.call(name, {
          ...{ params, query, headers: { 'if-match': headers.get('etag') ?? '' } },
          ...(endpoint.body ? { body } : {}),
        });
        const isSealed = endpoint.secretFields?.includes(field) ?? false;
        if (isAct(endpoint)) acts.set(`${name} ${part} ${field}`, { status, isSealed });
      }
  }
}

function ask(path: string, fields: Readonly<Record<string, string>>): Promise<WireAnswer> {
  return post(gateway.url + path, fullySigned({ merchant: merchant.id, ...fields }, merchant.key));
}

describe('a card number planted in every field of every endpoint', () => {
  it('every kind of object with a planted card number is accepted and stored', async () => {
    const { rows } = await gateway.database.pool.query(
      `select (select count(*) from payouts)::int as payouts, (select count(*) from deposits)::int as deposits,
         (select count(*) from form_sessions)::int as sessions,
         (select count(*) from payouts where vault_token is not null and method in (26, 92, 93))::int as sealed`,
    );
    const { payouts, deposits, sessions, sealed } = rows[0];
    assert.ok(payouts > 50, `${payouts} payouts`);
    assert.ok(deposits >= 5, `${deposits} deposits`);
    assert.ok(sessions >= 10, `${sessions} sessions of the form`);
    assert.ok(sealed >= 5, `${sealed} payouts with a card in a field of another kind`);
  });

  it('an act over the management API is rejected when any of its texts contains a card number', () => {
    const accepted = [...acts].filter(
      ([place, { status, isSealed }]) => (!isSealed && status < 400 && / body /.test(place)) || status >= 500,
    );
    assert.ok(acts.size > 200, `${acts.size} places`);
    assert.deepEqual(accepted, []);
  });

  it('no table holds a planted card number in the clear', async () => {
    for (const [table, dump] of await dumpTables(gateway.database.pool)) assert.deepEqual(plantedIn(dump), [], table);
  });

  it('no log line holds a planted card number in the clear', () => {
    assert.deepEqual(plantedIn(gateway.log.join('\n')), []);
  });

  it('no record of the write-ahead log holds a planted card number in the clear', async () => {
    const { rows: files } = await gateway.database.pool.query<{ name: string }>(
      'select name from pg_ls_waldir() where name >= $1 and length(name) = 24 order by name',
      [walBegins],
    );
    assert.ok(files.length > 0);
    let isRead = false;
    for (const { name } of files) {
      const { rows } = await gateway.database.pool.query('select pg_read_binary_file($1) as bytes', [`pg_wal/${name}`]);
      const text = (rows[0].bytes as Buffer).toString('latin1');
      isRead ||= text.includes('453957******');
      assert.deepEqual(plantedIn(text), [], name);
    }
    assert.ok(isRead, 'the test read the write-ahead log of these writes');
  });
});
