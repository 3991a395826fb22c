/**
 * The rows of a payout as the gateway writes them, after its acceptance and after its final state. This module sends two
 * payouts through the gateway and reads their rows from the database. The SQL floor and the fill write rows of this shape, so
 * they follow every change of the gateway.
 */
import { exchangeOnce } from '../load/http-connection.ts';
import { judgePayout, signedPayout } from '../load/payout-requests.ts';
import { stepsOpen, untilEmpty } from '../measure/queues.ts';
import { type AdminClient, numberOf } from '../stage/admin-client.ts';
import { makeMerchant } from '../stage/bench-merchants.ts';
import type { Stage } from '../stage/stage.ts';
import { both, type Drawn, expressionFor, type Names, namesOnePayout, type Pair, withoutNames } from './expressions.ts';
import {
  type MerchantRows,
  newRows,
  readMerchantRows,
  readMerchantTables,
  type Table,
  type TextRow,
} from './merchant-rows.ts';

/** The row of one payout, with an expression for each column. */
export interface RowShape {
  readonly table: string;
  readonly columns: readonly (readonly [name: string, expression: string])[];
}

interface BalanceChange {
  readonly currency: string;
  readonly account: string;
  readonly change: bigint;
}

export interface PayoutShape {
  readonly rows: readonly RowShape[];
  /** Rows that the gateway writes once per merchant, with its first payout. */
  readonly merchantRows: readonly RowShape[];
  readonly balances: readonly BalanceChange[];
}

interface Specimen {
  /** The rows and balances after the accepting commit. */
  readonly accepted: PayoutShape;
  /** The rows and balances of a successful payout whose callback was delivered. */
  readonly final: PayoutShape;
}

/** Created once per stage: the second time, the gateway would write no merchant rows. */
const taken = new WeakMap<Stage, Promise<Specimen>>();

export function specimenOf(stage: Stage): Promise<Specimen> {
  const specimen = taken.get(stage) ?? takeSpecimen(stage);
  taken.set(stage, specimen);
  return specimen;
}

async function takeSpecimen(stage: Stage): Promise<Specimen> {
  const { admin, gateway, gatewayUrl, receiverUrl } = stage;
  const tables = await readMerchantTables(admin);
  const models = await nextModels(admin);
  for (const merchantId of models) await makeMerchant(gateway, receiverUrl.href, merchantId);
  const readAll = (): Promise<Pair<MerchantRows>> => both(models, (id) => readMerchantRows(admin, tables, id));
  const before = await readAll();
  const banks = await stage.startBanks();
  const receiver = await stage.startReceiver();
  const api = await stage.startGateway('api');
  await both(models, (merchantId) => sendPayout(gatewayUrl, merchantId));
  const accepted = await readAll();
  const worker = await stage.startGateway('worker');
  await untilEmpty(
    () => stepsOpen(stage),
    () => {},
  );
  const final = await readAll();
  await Promise.all([api.stop(), worker.stop()]);
  await Promise.all([banks.stop(), receiver.stop()]);
  return { accepted: shapeOf(tables, before, accepted), final: shapeOf(tables, before, final) };
}

/** Returns two merchants without payouts. */
async function nextModels(admin: AdminClient): Promise<Pair<string>> {
  const used = await numberOf(admin, `select count(*) from merchants where merchant_id like 'model-%'`);
  return [`model-${used}`, `model-${used + 1}`];
}

/** Uses an id with the same length as in the measured loads. */
async function sendPayout(url: URL, merchantId: string): Promise<void> {
  const request = signedPayout(url, merchantId, `P${merchantId.replace(/\D/g, '').padStart(12, '9')}`);
  const answer = await exchangeOnce(url, request);
  if (judgePayout(answer.status, answer.text) !== 'good')
    throw new Error(`the specimen was not accepted: ${answer.text}`);
}

const BALANCES = 'ledger_accounts';
/** Excluded: it is a sample, of which the gateway keeps a hundred rows per merchant. */
const REQUEST_LOG = 'logged_requests';

/** `before` and `after` contain all rows of two merchants, around one payout of each. */
export function shapeOf(tables: readonly Table[], before: Pair<MerchantRows>, after: Pair<MerchantRows>): PayoutShape {
  const names = [namesIn(after[0]), namesIn(after[1])] as const;
  const drawn: Drawn = new Map();
  const rows: RowShape[] = [];
  const merchantRows: RowShape[] = [];
  for (const table of tables) {
    if (table.name === BALANCES || table.name === REQUEST_LOG) continue;
    for (const pair of pairsOf(table, before, after, names)) {
      const columns = table.columns.map((column) => [column.name, expressionFor(column, pair, names, drawn)] as const);
      const isOfPayout = columns.some(([name, text]) => table.primaryKey.includes(name) && namesOnePayout(text));
      (isOfPayout ? rows : merchantRows).push({ table: table.name, columns });
    }
  }
  return { rows, merchantRows, balances: balanceChanges(before[0], after[0]) };
}

/** Pairs the new rows of the two payouts. */
function pairsOf(
  table: Table,
  before: Pair<MerchantRows>,
  after: Pair<MerchantRows>,
  names: Pair<Names>,
): Pair<TextRow>[] {
  const sorted = (at: 0 | 1) => {
    const keyOf = (row: TextRow) => withoutNames(table.primaryKey.map((column) => row[column]).join('/'), names[at]);
    return newRows(table, before[at], after[at]).toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  };
  const [ones, others] = [sorted(0), sorted(1)];
  if (ones.length !== others.length) throw new Error(`two payouts left different numbers of rows in ${table.name}`);
  return ones.map((one, at) => [one, others[at] ?? {}]);
}

function namesIn(rows: MerchantRows): Names {
  const [payout] = rows.get('payouts') ?? [];
  const name = (column: keyof Names) => payout?.[column] ?? '';
  return {
    merchant_id: name('merchant_id'),
    payout_id: name('payout_id'),
    transaction_id: name('transaction_id'),
    accepted_at: name('accepted_at'),
  };
}

function balanceChanges(before: MerchantRows, after: MerchantRows): BalanceChange[] {
  const balanceIn = (rows: MerchantRows, { currency, account }: TextRow) => {
    const found = (rows.get(BALANCES) ?? []).find((row) => row['currency'] === currency && row['account'] === account);
    return BigInt(found?.['balance'] ?? 0);
  };
  return (after.get(BALANCES) ?? []).map((row) => ({
    currency: row['currency'] ?? '',
    account: row['account'] ?? '',
    change: balanceIn(after, row) - balanceIn(before, row),
  }));
}
