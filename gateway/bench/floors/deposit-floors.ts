/**
 * The SQL floors of deposits. Each statement writes the rows that the gateway writes for one deposit or receipt, as directly
 * as possible, without lookups or decisions. Each execution has a different `:id`. All rows belong to floor merchants, whose
 * name prefix selects them for deletion.
 */
import { MERCHANTS } from '../stage/bench-merchants.ts';
import { deleteFloorRows, floorMerchantSql, type SqlFloorOf } from './sql-floor.ts';

const MERCHANT = floorMerchantSql(':id::bigint');

const DEPOSIT_COLUMNS = `merchant_id, transaction_id, uuid, order_id, payment_type, currency, amount, amount_text, payer,
    rail, pay_to, beneficiary, state, created_at, expires_at, closes_at`;

/** The CLABE begins with digits of no bank, so it cannot equal one of the gateway's. */
function depositValues(id: string): string {
  return `${id}, gen_random_uuid(), 'N' || ${id}, 'spei', 'MXN', 10000, '100.00',
    '{"userId":"u1","firstName":"José","lastName":"Muñoz García"}'::jsonb, 'stp', lpad((${id})::text, 18, '0'), 'Payment Gateway',
    'pending', now(), now() + interval '1 day', now() + interval '4 days'`;
}

export const CREATE_DEPOSIT_FLOOR: SqlFloorOf = {
  name: 'create-one',
  prepare: [],
  statement: `
with o as (insert into deposit_orders (merchant_id, order_id, transaction_id) values (${MERCHANT}, 'N' || :id, :id)),
d as (
  insert into deposits (${DEPOSIT_COLUMNS})
  values (${MERCHANT}, ${depositValues(':id::bigint')})),
h as (insert into deposit_history (merchant_id, transaction_id, entry, at, event, to_state, actor)
  values (${MERCHANT}, :id, 1, now(), 'opened', 'pending', 'merchant'))
insert into clabes (clabe, merchant_id, transaction_id, assigned_at, reusable_at)
values (lpad((:id::bigint)::text, 18, '0'), ${MERCHANT}, :id, now(), now() + interval '184 days')`,
  clean: deleteFloorRows(['deposit_orders', 'deposits', 'deposit_history', 'clabes']),
};

/**
 * The account name is split into two literals, because pgbench reads a colon before letters as a variable, even in a literal.
 */
const CLEARING = `'clearing:' || 'stp'`;

/**
 * Large enough that two receipts rarely belong to the same deposit. Some deposits complete more than once, at the same cost.
 */
const DEPOSITS_TO_END = 50_000;

export const RECEIPT_FLOOR: SqlFloorOf = {
  name: 'receive-one',
  prepare: [
    `insert into ledger_accounts select ${floorMerchantSql('m')}, 'MXN', account, 0
     from generate_series(0, ${MERCHANTS - 1}) as m, unnest(array['available', ${CLEARING}]) as account`,
    `insert into deposits (${DEPOSIT_COLUMNS})
     select ${floorMerchantSql('n')}, ${depositValues('n::bigint')} from generate_series(0, ${DEPOSITS_TO_END - 1}) as n`,
    'analyze deposits',
  ],
  statement: `
with k as (insert into incoming_transfer_keys (rail, transfer_key, merchant_id)
  values ('stp', 'BENCH' || :id || '/40012/20260102', ${MERCHANT})),
i as (
  insert into incoming_transfers (merchant_id, rail, transfer_key, transaction_id, pay_to, currency, amount, originator, state,
    found_by, booked_at, recorded_at)
  values (${MERCHANT}, 'stp', 'BENCH' || :id || '/40012/20260102', :id, '000000000000000000', 'MXN', 10000,
    '{"name":"JOSE MUNOZ GARCIA","account":"012180001234567897","institution":"40012","concept":"PAGO","trackingKey":"BENCH1"}'::jsonb,
    'credited', 'notification', now(), now())),
d as (
  update deposits set state = 'success', received = 10000, finished_at = now()
  where merchant_id = ${MERCHANT} and transaction_id = :id::bigint % ${DEPOSITS_TO_END}),
h as (insert into deposit_history (merchant_id, transaction_id, entry, at, event, from_state, to_state, actor, detail)
  values (${MERCHANT}, :id, 2, now(), 'received', 'pending', 'success', 'stp', 'BENCH' || :id || '/40012/20260102')),
t as (insert into ledger_transfers (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, posted_at)
  values (${MERCHANT}, 'transfer/stp/BENCH' || :id || '/40012/20260102/credit', 1, 'deposit', 'MXN', ${CLEARING}, 'available', 10000, now())),
c as (
  insert into callbacks (merchant_id, callback_id, subject, subject_id, payload, state, created_at, due_at)
  values (${MERCHANT}, 'deposit_' || :id, 'deposit', 'N' || :id,
    '[["co_inv_id","1"],["co_inv_st","success"],["co_order_no","N1"],["co_amount","100.00"],["co_to_wlt","100.00"],["co_cur","MXN"]]'::json,
    'due', now(), now())),
l as (
  insert into callback_lanes as lane (merchant_id, due_at) values (${MERCHANT}, now())
  on conflict (merchant_id) do update set due_at = excluded.due_at where lane.due_at > excluded.due_at)
update ledger_accounts set balance = balance + case account when 'available' then 10000 else -10000 end
where merchant_id = ${MERCHANT} and currency = 'MXN' and account in ('available', ${CLEARING})`,
  clean: deleteFloorRows([
    'incoming_transfer_keys',
    'incoming_transfers',
    'deposits',
    'deposit_history',
    'ledger_transfers',
    'ledger_accounts',
    'callbacks',
    'callback_lanes',
  ]),
};
