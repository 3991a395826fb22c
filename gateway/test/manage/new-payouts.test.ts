/** Payouts that users and tokens create over the management API. They are accepted like those of payout_send. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PAYOUT_METHODS } from '../../src/protocol/payout/method-table.ts';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { clientWith, type ManageClient, manageClient, rehearse } from '../support/people/manage-client.ts';
import { addPerson } from '../support/people/test-person.ts';

const CARD = '4111111111111111';

let gateway: RunningGateway;
let merchantId: string;
let token: ManageClient;
before(async () => {
  gateway = await startGateway();
  merchantId = (await gateway.merchant({ funds: { UAH: '100.00' }, settings: { 'fee_fixed.1.UAH': '1.00' } })).id;
  token = await manageClient(gateway, { merchantId, scopes: ['payouts:create', 'payouts:read', 'audit:read'] });
});
after(() => gateway.verifyAndStop());

const card = (amount = '10.00', account = CARD) => ({ method: 1, fields: { account, amount, currency: 'UAH' } });
const of = (id = merchantId) => ({ params: { merchantId: id } });

/** Returns the tables that contain the text, in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const { pool } = gateway.database;
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`select 1 from ${name} as each where strpos(each::text, $1) > 0 limit 1`, [
      text,
    ]);
    if (rowCount) found.push(name);
  }
  return found;
}

describe('a new payout', () => {
  it('a token creates a new payout once', async () => {
    const create = () => token.call('payouts.create', { ...of(), body: { ...card(), payoutId: 'T1' }, key: 'once-T1' });
    const first = (await create()).value();
    assert.deepEqual([first.payoutId, first.amount, first.fee, first.account], ['T1', '10.00', '1.00', '***1111']);
    assert.equal(first.isAwaitingApproval, false);
    const again = await create();
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(again.value(), first);
    assert.deepEqual(await tablesWith(CARD), []);
    const { items } = (await token.call('audit.list', { query: { act: 'payouts.create' } })).value();
    assert.deepEqual(
      items.map(({ phase }) => phase),
      ['done', 'begun'],
    );
    assert.ok(!JSON.stringify(items).includes(CARD));
  });

  it('payouts.create repeats its response for the same id and content and rejects different content under that id', async () => {
    const body = { ...card('2.00'), payoutId: 'T2' };
    const first = (await token.call('payouts.create', { ...of(), body })).value();
    const again = (await token.call('payouts.create', { ...of(), body })).value();
    assert.equal(again.transactionId, first.transactionId);
    const other = await token.call('payouts.create', { ...of(), body: { ...card('3.00'), payoutId: 'T2' } });
    assert.equal(other.problem().field, '/payoutId');
  });

  it('payouts.create requires an id while a restored gateway recovers, because the payout may be missing', async () => {
    const { recovery } = gateway.operations;
    const skip = { transactionIds: 0, addresses: 0 };
    const begun = await recovery.begin({ by: 'Ann', reason: 'a backup', knownUntil: null, skip });
    assert.ok(begun.ok);
    try {
      const body = card('1.00');
      assert.equal((await token.call('payouts.create', { ...of(), body })).problem().field, '/payoutId');
      const uploaded = await token.call('batches.upload', { ...of(), body: { name: 'again.csv', file: '' } });
      assert.match(uploaded.problem().detail, /may have lost an earlier upload/);
      assert.equal((await token.call('payouts.create', { ...of(), body: { ...body, payoutId: 'NAMED' } })).status, 200);
    } finally {
      await recovery.complete({ rail: null, by: 'Ann', forcedBecause: 'a test' });
    }
  });

  it('payouts.create never writes a card number to a table in plain text, whatever field contains it', async () => {
    const bad = '4000056655665556';
    for (const [field, body] of [
      ['/fields/account', card('1.00', '4111111111111112')],
      ['/fields/amount', card('0')],
      ['/fields/currency', { method: 1, fields: { ...card().fields, currency: 'EUR' } }],
      ['/fields/exp_date', { method: 1, fields: { ...card().fields, exp_date: '12/39' } }],
      ['/fields/full_name', { method: 1, fields: { ...card().fields, full_name: bad } }],
      ['/payoutId', { ...card(), payoutId: bad }],
      ['/method', { ...card(), method: 2 }],
      ['/reason', { ...card('0.50'), reason: `for ${bad}` }],
    ] as const)
      assert.equal((await token.call('payouts.create', { ...of(), body })).problem().field, field);
    assert.deepEqual(await tablesWith(bad), []);
  });

  it('a new payout is rejected when the balance does not cover it', async () => {
    const short = await token.call('payouts.create', { ...of(), body: card('1000.00') });
    assert.match(short.problem().type, /#insufficient-funds$/);
    const { possible, problem } = await rehearse(token, 'payouts.create', { ...of(), body: card('1000.00') });
    assert.deepEqual([possible, problem?.title], [false, 'The balance is too low']);
    const dry = await rehearse(token, 'payouts.create', { ...of(), body: { ...card('5.00'), payoutId: 'DRY' } });
    const after = dry.change?.after as { rail?: string; fee?: string; isAwaitingApproval?: boolean } | undefined;
    assert.deepEqual([after?.fee, after?.isAwaitingApproval, dry.postings.length], ['1.00', false, 2]);
    assert.ok(after?.rail);
    assert.equal(await gateway.operations.payouts.find({ merchantId, payoutId: 'DRY' }), undefined);
  });

  it('payouts.check lists all errors of a new payout together', async () => {
    const check = async (body: Readonly<Record<string, unknown>>) =>
      (await token.call('payouts.check', { ...of(), body })).value();
    const faulty = await check({ method: 8, fields: { account: '1', amount: 'x', currency: 'USD' } });
    assert.deepEqual(
      faulty.faults.map(({ field }) => field),
      ['account', 'amount', 'exp_date', 'full_name'],
    );
    (await token.call('payouts.create', { ...of(), body: { ...card('4.00'), payoutId: 'T3' } })).value();
    const checked = await check(card('4.00'));
    assert.deepEqual([checked.possible, checked.fee, checked.possibleDuplicateOf], [true, '1.00', 'T3']);
    assert.match(checked.availableAfter ?? '', /^\d+\.\d\d$/);
    assert.equal((await check({ ...card('4.00'), payoutId: 'T3' })).possible, false);
    assert.match((await check(card('5000.00'))).problem ?? '', /balance/);
  });

  it('payouts.methods lists the methods from the table of the wire', async () => {
    const { items } = (await token.call('payouts.methods', of())).value();
    assert.deepEqual(
      items.map(({ method, fields }) => [method, fields.length]),
      PAYOUT_METHODS.map(({ number, fields }) => [number, fields.length]),
    );
  });

  it('creating a payout needs the permission, and a user’s confirmation', async () => {
    const writer = await manageClient(gateway, { merchantId, scopes: ['payouts:write'] });
    assert.equal((await writer.call('payouts.create', { ...of(), body: card() })).status, 403);
    const finance = await addPerson(gateway, 'finance', { merchantId, email: 'pays@example.com' });
    const unconfirmed = await finance.call('payouts.create', { ...of(), body: card('0.10') });
    assert.match(unconfirmed.problem().type, /#step-up-required$/);
    assert.equal((await finance.confirm('payouts.create', { ...of(), body: card('0.10') })).status, 200);
  });

  it('a new payout above the amount of a policy waits with its money reserved until a user other than its maker approves it', async () => {
    const { id } = await gateway.merchant({ funds: { UAH: '100.00' } });
    const owner = await addPerson(gateway, 'owner', { merchantId: id, email: 'owner@pays.example' });
    const other = await addPerson(gateway, 'owner', { merchantId: id, email: 'other@pays.example' });
    const ifMatch = (await owner.call('policies.list')).headers.get('etag') ?? '';
    const rule = { act: 'payouts.create', currency: 'UAH', above: '20.00', merchantId: null };
    const set = { body: { items: [rule], reason: 'the board decided' }, headers: { 'if-match': ifMatch } };
    (await owner.confirm('policies.set', set)).value();
    const small = (await owner.confirm('payouts.create', { ...of(id), body: card('20.00') })).value();
    assert.equal(small.isAwaitingApproval, false);
    const body = { ...card('20.01'), payoutId: 'LARGE' };
    const dry = await rehearse(owner, 'payouts.create', { ...of(id), body });
    assert.equal((dry.change?.after as { isAwaitingApproval?: boolean } | undefined)?.isAwaitingApproval, true);
    assert.ok(dry.postings.some(({ amount }) => amount === '20.01'));
    const large = (await owner.confirm('payouts.create', { ...of(id), body })).value();
    assert.equal(large.isAwaitingApproval, true);
    const named = { params: { merchantId: id, payoutId: 'LARGE' }, body: {} };
    const own = await owner.confirm('payouts.approve', named);
    assert.match(own.problem().detail, /Another user/);
    assert.equal((await other.confirm('payouts.approve', named)).status, 200);
  });

  it('a payout of a token is not approved by another account at its creator’s mailbox', async () => {
    const { id } = await gateway.merchant({ funds: { UAH: '100.00' }, settings: { 'approval_above.UAH': '20.00' } });
    const owner = await addPerson(gateway, 'owner', { merchantId: id, email: 'ann@alias.example' });
    const alias = await addPerson(gateway, 'owner', { merchantId: id, email: 'ann+two@alias.example' });
    const body = { name: 'mine', scopes: ['payouts:create'] };
    const issued = (await owner.confirm('tokens.create', { query: { merchantId: id }, body })).value();
    const program = clientWith(gateway.manageUrl, issued.secret);
    const large = { ...of(id), body: { ...card('20.01'), payoutId: 'BYTOKEN' } };
    assert.equal((await program.call('payouts.create', large)).value().isAwaitingApproval, true);
    const named = { params: { merchantId: id, payoutId: 'BYTOKEN' }, body: {} };
    assert.match((await alias.confirm('payouts.approve', named)).problem().detail, /Another user/);
  });
});
