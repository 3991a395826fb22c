/**
 * Card numbers planted in every field of every endpoint, alone and inside other text. No table, no log line and no
 * record of PostgreSQL's write-ahead log contains one in the clear. Fields for other values either reject a card
 * number or seal it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FORM_FIELDS } from '../../src/protocol/form/request/form-fields.ts';
import { FORM_REQUEST } from '../support/form-request.ts';
import { dumpTables } from '../support/hiding-places.ts';
import { depositRequest } from '../support/host-to-host-wire.ts';
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

async function everywhere(
  endpoint: string,
  fields: readonly string[],
  send: (field: string, text: string) => Promise<unknown>,
): Promise<void> {
  for (const field of fields)
    for (const [way, write] of Object.entries(WRITTEN)) {
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
    await everywhere(`payout ${method}`, fields, (field, text) => {
      requests += 1;
      return post(
        `${gateway.url}/merchant/api/payout_send`,
        merchant.request(method, `P${requests}`, { [field]: text }),
      );
    });
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
});
after(() => gateway.verifyAndStop());

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
    assert.ok(payouts > 100, `${payouts} payouts`);
    assert.ok(deposits >= 5, `${deposits} deposits`);
    assert.ok(sessions >= 10, `${sessions} sessions of the form`);
    assert.ok(sealed >= 5, `${sealed} payouts with a card in a field of another kind`);
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
