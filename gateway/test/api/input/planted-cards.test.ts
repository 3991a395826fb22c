/**
 * Card numbers in every field of every endpoint, as the entire value and within other text. No table, log line or record of
 * PostgreSQL's write-ahead log may contain one in the clear. Fields for other values either reject a card number or seal it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TObject } from 'typebox';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../../contract/endpoints.ts';
import { BASE_PATH, type Endpoint, isAct } from '../../../contract/parts/endpoint.ts';
import { SCOPE_NAMES } from '../../../contract/permissions.ts';
import { STREAMS } from '../../../contract/streams.ts';
import { BROWSER_FIELDS } from '../../../src/protocol/form/pages/page-view.ts';
import { FORM_FIELDS } from '../../../src/protocol/form/request/form-fields.ts';
import { depositRequest } from '../../support/deposits/host-to-host-wire.ts';
import { createFormPayer, type FormPayer } from '../../support/form/form-payer.ts';
import { FORM_REQUEST } from '../../support/form/form-request.ts';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { UNREACHABLE_PROVIDERS } from '../../support/gateway/unreachable-providers.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import {
  ALL_METHODS,
  EXAMPLE_PAYOUTS,
  fullySigned,
  post,
  VISA_CARD,
  type WireAnswer,
} from '../../support/payouts/payout-request.ts';
import { manageClient, OF_NOTHING } from '../../support/people/manage-client.ts';
import {
  ALL_NOTATIONS,
  assertNotInLog,
  assertNotInTables,
  assertNotInWal,
  createCardPlants,
  currentWalFile,
  NOTATIONS,
  type Notation,
} from '../../support/secrets/card-plants.ts';
import { entryOf } from '../../support/tools/archive-entry.ts';
import { until } from '../../support/tools/until.ts';

let gateway: RunningGateway;
let merchant: TestMerchant;
/** Everything that payers and merchant users received. */
const seen: string[] = [];
/** The number of accepted batch rows. */
let accepted = 0;
let walBegins = '';
const plants = createCardPlants('453961');

const EXPORTED = Object.keys(STREAMS).flatMap((name) =>
  name.endsWith('.export') ? [name.replace('.export', '')] : [],
);
/** The exported files, by list. */
const exported = new Map<string, string>();

/** The results by field of a management API action. The vault seals fields that may contain a card number. */
const acts = new Map<string, { readonly status: number; readonly isSealed: boolean }>();

async function everywhere(
  endpoint: string,
  fields: readonly string[],
  send: (field: string, text: string) => Promise<unknown>,
  notations: () => readonly Notation[] = () => ALL_NOTATIONS,
): Promise<void> {
  for (const field of fields)
    for (const [way, write] of notations()) {
      await send(field, write(plants.cardFor(`${endpoint}, ${field}, ${way}`)));
    }
}

before(async () => {
  gateway = await startGateway({
    withoutBank: true,
    variables: UNREACHABLE_PROVIDERS,
  });
  merchant = await gateway.merchant();
  walBegins = await currentWalFile(gateway);
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
    await everywhere(`payout ${method}`, fields, send, plants.someNotations);
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
  await overForms();
  await overBatches();
  await overManagementApi();
  await overExports();
});
after(() => gateway.verifyAndStop());

const CPF = '52998224725';

/** The payment types whose pages have different fields, with valid input. */
const PAGES: readonly (readonly [link: Readonly<Record<string, string>>, typed: Readonly<Record<string, string>>])[] = [
  [
    { payment_type: 'card' },
    { card_number: VISA_CARD, card_expiry: '12/39', card_cvv: '123', card_holder: 'Ann', email: 'ann@example.com' },
  ],
  [
    { payment_type: 'e_transfer', currency: 'CAD', country: 'CA' },
    { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com' },
  ],
  [
    { payment_type: 'instant_bank', currency: 'BRL', country: 'BR', cpf: CPF },
    { first_name: 'Ann', last_name: 'Lee', cpf: CPF },
  ],
  [
    { payment_type: 'bank_transfer_iframe', country: 'FI' },
    { first_name: 'Ann', last_name: 'Lee', country: 'FI', email: 'ann@example.com' },
  ],
];
/** The fields of the card page that no user types. */
const UNTYPED = ['act', 'csrf', 'version', 'lang', 'switch_to', 'had_secrets', 'wallet', 'wallet_token', 'other'];
const HEADERS = ['user-agent', 'accept', 'accept-language', 'referer'];

/** Puts a card number into every field that a browser can send to a form page. */
async function overForms(): Promise<void> {
  let forms = 0;
  const open = (payer: FormPayer, link: Readonly<Record<string, string>>) => {
    const parameters = { ...FORM_REQUEST, merchant: merchant.id, order: `FORM${++forms}`, ...link };
    return payer.open(`/payment/form?${new URLSearchParams(parameters)}`);
  };
  for (const [link, typed] of PAGES) {
    const isCard = 'card_number' in typed;
    const browser = isCard ? BROWSER_FIELDS : [];
    const fields = [...Object.keys(typed), ...browser, ...(isCard ? [...UNTYPED, ...HEADERS] : [])];
    const send = async (field: string, text: string) => {
      const payer = createFormPayer(gateway.url, HEADERS.includes(field) ? { [field]: text } : {});
      const page = await open(payer, link);
      await payer.press(page, 'pay', { ...typed, ...(HEADERS.includes(field) ? {} : { [field]: text }) });
      seen.push(...payer.seen);
    };
    await everywhere(`form page of ${link['payment_type']}`, fields, send, plants.someNotations);
  }
  const payer = createFormPayer(gateway.url, {});
  const page = await open(payer, {});
  for (const [act, field] of [
    ['choose', 'payment_type'],
    ['choose_bank', 'bank_id'],
  ] as const)
    await everywhere(`act ${act}`, [field], (_, text) =>
      payer.post(page.address, new URLSearchParams({ ...page.hidden('pay'), act, [field]: text })),
    );
  await everywhere('address of a page', ['type', 'bank', 'after', 'lang', 'bank_search'], (field, text) =>
    payer.open(`${page.address}?${new URLSearchParams({ [field]: text })}`),
  );
  seen.push(...payer.seen);
}

/** Puts a card number into every column, in every notation, for methods with different columns. */
async function overBatches(): Promise<void> {
  const methods = [9, 24, 26, 34, 92];
  const columns = [...new Set(methods.flatMap((method) => Object.keys(EXAMPLE_PAYOUTS[method] ?? {})))];
  const header = ['payout_id', 'method', 'amount', ...columns];
  const rows: string[] = [];
  for (const method of methods)
    await everywhere(
      `batch, method ${method}`,
      ['payout_id', 'amount', ...Object.keys(EXAMPLE_PAYOUTS[method] ?? {})],
      async (field, text) => {
        const row = {
          ...EXAMPLE_PAYOUTS[method],
          amount: '1.00',
          method: `${method}`,
          payout_id: `B${rows.length}`,
          [field]: text,
        };
        rows.push(header.map((name) => `"${(row as Record<string, string>)[name] ?? ''}"`).join(','));
      },
    );
  const { cardFor } = plants;
  /** A spreadsheet without compression. */
  const archive = (end: string) =>
    Buffer.from(`PK\x03\x04xl/sharedStrings.xml<t>${cardFor('batch, a spreadsheet')}${end}`);
  const files = [
    Buffer.from([header.join(','), ...rows].join('\n')),
    Buffer.from([`${header.join(',')},${cardFor('batch, an unknown column')}`, rows[0]].join('\n')),
    Buffer.from([header.join(','), `"${cardFor('batch, an open quote')}`].join('\n')),
    Buffer.from(cardFor('batch, no header')),
    archive('\0'),
    Buffer.concat([archive(''), Buffer.from([0xff])]),
  ];
  const client = await manageClient(gateway, { merchantId: merchant.id, scopes: ['payouts:create', 'payouts:read'] });
  const params = { merchantId: merchant.id };
  const uploads = [];
  for (const file of files) {
    const body = { name: 'salaries', file: file.toString('base64') };
    uploads.push(await client.call('batches.upload', { params, body }));
  }
  const { batchId } = (uploads[0] as (typeof uploads)[number]).value();
  const named = { params: { merchantId: merchant.id, batchId } };
  const inState = (state: string) =>
    until(`the batch is ${state}`, async () => (await client.call('batches.show', named)).value().state === state);
  await inState('ready');
  (await client.call('batches.submit', { ...named, body: { skipFaulty: true } })).value();
  await inState('finished');
  for (const state of ['faulty', 'accepted', 'rejected'] as const) {
    const rows = await client.call('batches.rows', { ...named, query: { state, limit: 100 } });
    seen.push(JSON.stringify(rows.value()));
  }
  accepted = (await client.call('batches.show', named)).value().counts.accepted;
}

const LIST = {
  currency: 'EUR',
  order: '0',
  status: 'all',
  type: 'withdrawal',
  start_date: '2026-11-20',
  finish_date: '2026-11-21',
};

/** A valid value for each field of a body. A field without a value is optional, or is used only for signing in. */
const bodyOf = (unique: string): Readonly<Record<string, unknown>> => ({
  merchantId: `M${unique}`,
  name: `N${unique}`,
  amount: '1.00',
  currency: 'EUR',
  reference: `R${unique}`,
  payoutId: `MP${unique}`,
  method: 9,
  fields: EXAMPLE_PAYOUTS[9],
  outcome: 'failed',
  items: [],
  hours: null,
  email: `p${unique}@example.com`,
  role: 'auditor',
  scopes: ['payouts:read'],
  days: 1,
  rank: 1,
  weight: 1,
  file: Buffer.from('amount\n1.00\n').toString('base64'),
  threshold: null,
  purpose: 'api',
  reason: 'asked',
});

type Part = 'params' | 'query' | 'body' | 'fields' | 'settings';

/** The fields in which a caller of the management API can write text. */
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

/** Ids of merchants and banks may contain a card number, but none of them is a card number. */
function waysOf(endpoint: Endpoint, part: Part): string[] {
  return isAct(endpoint) && part !== 'params' ? ['alone', 'as an email address'] : ['alone'];
}

/** All actions, and those reads whose query the audit log records. */
const RECORDED = ENDPOINT_NAMES.filter((name) => {
  const endpoint: Endpoint = ENDPOINTS[name];
  return isAct(endpoint) || endpoint.showsPersonal || name.endsWith('.export');
});

/** Calls the management API. This covers the commands and the portal as well, because they use it. */
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
        const text = NOTATIONS[way]?.(plants.cardFor(`${name}, ${part}, ${field}, ${way}`)) ?? '';
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
          params,
          query,
          headers: { 'if-match': headers.get('etag') ?? '' },
          ...(endpoint.body ? { body } : {}),
        });
        const isSealed = endpoint.secretFields?.includes(field) ?? false;
        if (isAct(endpoint)) acts.set(`${name} ${part} ${field}`, { status, isSealed });
      }
  }
}

/** Lists that show texts of requests, exported as spreadsheets. */
const SPREADSHEETS = ['payouts', 'requests', 'audit'];

async function overExports(): Promise<void> {
  const issued = await gateway.operations.tokens.issue({
    name: 'exports',
    merchantId: null,
    scopes: SCOPE_NAMES,
    days: 1,
  });
  assert.ok(issued.ok);
  const headers = { authorization: `Bearer ${issued.value.secret.reveal()}` };
  const read = async (list: string, format: string) => {
    const answer = await fetch(`${gateway.manageUrl}${BASE_PATH}/exports/${list}?format=${format}`, { headers });
    assert.equal(answer.status, 200, list);
    return Buffer.from(await answer.arrayBuffer());
  };
  for (const list of EXPORTED) exported.set(list, (await read(list, 'csv')).toString());
  for (const list of SPREADSHEETS)
    exported.set(`${list} as a spreadsheet`, entryOf(await read(list, 'xlsx'), 'xl/sharedStrings.xml'));
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
    assert.ok(accepted >= 3, `${accepted} payouts of a batch`);
  });

  it('an action over the management API is rejected when any of its strings contains a card number', () => {
    const accepted = [...acts].filter(
      ([place, { status, isSealed }]) => (!isSealed && status < 400 && / body /.test(place)) || status >= 500,
    );
    assert.ok(acts.size > 200, `${acts.size} places`);
    assert.deepEqual(accepted, []);
  });

  it('no page of the form and no row of a batch shows a planted card number', () => {
    assert.ok(seen.length > 50);
    assert.deepEqual(plants.plantedIn(seen.join('\n')), []);
  });

  it('no export contains a planted card number', () => {
    assert.ok(exported.size > SPREADSHEETS.length + 5);
    for (const [list, text] of exported) {
      const isEmpty = /^(?:refunds|transfers|callbacks|ledger)$/.test(list);
      assert.ok(isEmpty || text.length > 1_000, `${list}: ${text}`);
      assert.deepEqual(plants.plantedIn(text), [], list);
    }
  });

  it('no table contains a planted card number in plain text', () => assertNotInTables(gateway, plants));

  it('no log line contains a planted card number in plain text', () => assertNotInLog(gateway, plants));

  it('no record of the write-ahead log contains a planted card number in plain text', () =>
    assertNotInWal(gateway, plants, { from: walBegins, written: '453961******' }));
});
