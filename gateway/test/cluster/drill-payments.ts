/** Payments of every kind for the drill on a cluster, and the checks that each ends once. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '../../src/foundation/clock.ts';
import type { SpeiStage } from '../support/deposits/spei-stage.ts';
import { createFormPayer } from '../support/form/form-payer.ts';
import type { Provider } from '../support/form-providers/provider.ts';
import { runCommand } from '../support/gateway/run-command.ts';
import { MASTER_KEY } from '../support/gateway/running-gateway.ts';
import { type Reply, signedForm, type TestMerchant } from '../support/merchants/test-merchant.ts';
import { until } from '../support/tools/until.ts';
import type { CitusServers } from './citus-servers.ts';

export interface DrillScene {
  readonly servers: CitusServers;
  readonly stage: SpeiStage;
  readonly cards: Provider;
  readonly merchants: readonly TestMerchant[];
}

interface DrillPayout {
  readonly merchant: TestMerchant;
  readonly payoutId: string;
  readonly method: number;
}

export interface SentPayout extends DrillPayout {
  readonly answer: Reply;
  readonly isAccepted: boolean;
}

const EACH = 5;
const METHODS = [1, 16, 34] as const;
const CARD_LINK = { currency: 'EUR', country: 'DE', email: 'payer@example.com', item_name: 'A book', amount: '10.50' };
/** The drill's merchants require approval above this amount. */
export const APPROVAL_ABOVE = { 'approval_above.UAH': '500' };
const LARGE_AMOUNT = '600.00';
/** A deposit of this age no longer accepts a transfer. */
const OVERDUE_MS = 97 * HOUR_MS;
export const FINAL_WITHIN_MS = 180_000;

export function payoutsOf(merchants: readonly TestMerchant[], prefix: string): DrillPayout[] {
  return merchants.flatMap((merchant) =>
    Array.from({ length: EACH }, (_, index) => ({
      merchant,
      payoutId: `${prefix}-${index}`,
      method: METHODS[index % METHODS.length] ?? 1,
    })),
  );
}

/** Counts a response without an outcome, such as an HTTP 500, as rejected. */
export function send(payouts: readonly DrillPayout[]): Promise<SentPayout[]> {
  return Promise.all(
    payouts.map(async ({ merchant, payoutId, method }) => {
      const answer = await merchant
        .pay(method, payoutId)
        .catch((error: Error) => ({ status: 'Error', error: error.message }));
      return { merchant, payoutId, method, answer, isAccepted: answer['status'] !== 'Error' };
    }),
  );
}

export function assertAccepted(sent: readonly SentPayout[]): void {
  const rejected = sent.filter(({ isAccepted }) => !isAccepted);
  const answers = rejected.map(
    ({ merchant, payoutId, answer }) => `${merchant.id}/${payoutId}: ${JSON.stringify(answer)}`,
  );
  assert.deepEqual(answers, [], `${rejected.length} of ${sent.length} payouts were not accepted`);
}

/** Waits until each payout is paid and its merchant has the callback with this state. */
export async function allEnd(payouts: readonly DrillPayout[], { gateway }: SpeiStage): Promise<void> {
  for (const { merchant, payoutId } of payouts) {
    assert.equal((await merchant.final(payoutId, FINAL_WITHIN_MS))['status'], 'Success', `${merchant.id}/${payoutId}`);
    const isReported = () =>
      gateway.receiver.about(merchant.id, payoutId).some(({ fields }) => fields['status'] === 'Success');
    await until(`the callback of ${merchant.id}/${payoutId}`, isReported, FINAL_WITHIN_MS);
  }
}

/** Asserts that the bank executed each payout exactly once. */
export async function assertPaidOnce(payouts: readonly DrillPayout[], { gateway }: SpeiStage): Promise<void> {
  // It reads the attempts in a session that may hold a broken connection to a lost worker, and fails once then.
  const executions = await gateway.bank.executions().catch(() => gateway.bank.executions());
  const wrong = payouts
    .map(({ merchant, payoutId }) => `${merchant.id}/${payoutId}`)
    .filter((key) => executions.get(key) !== 1)
    .map((key) => `${key} ${executions.get(key) ?? 0} times`);
  assert.deepEqual(wrong, [], 'the bank executed');
}

/** Makes a card payment with 3-D Secure on the gateway's page. */
async function payOnForm({ stage, cards }: DrillScene, merchant: TestMerchant, order: string): Promise<void> {
  const { gateway } = stage;
  const payer = createFormPayer(gateway.url, {});
  const form = await payer.open(signedForm({ ...CARD_LINK, merchant: merchant.id, order }, merchant.formKey));
  const page = await payer.press(form, 'pay', cards.typed(order, undefined));
  await cards.act({ reference: '', providerReference: '' }, undefined, { payer, page });
  await isPaid(stage, merchant, order);
}

async function isPaid({ gateway }: SpeiStage, { id }: TestMerchant, order: string): Promise<void> {
  const callback = () => gateway.receiver.about(id, order, 'callback')[0];
  const { fields } = await until(`the callback of deposit ${id}/${order}`, callback, FINAL_WITHIN_MS);
  assert.equal(fields['co_inv_st'], 'success', `deposit ${id}/${order}`);
}

/** Makes a SPEI deposit and a card payment for each merchant, one merchant after the other. */
export async function bePaid(scene: DrillScene, merchants: readonly TestMerchant[], order: string): Promise<void> {
  for (const merchant of merchants) {
    const { clabe } = await merchant.deposit(`D-${order}`);
    await scene.stage.stp.pay(clabe);
    await isPaid(scene.stage, merchant, `D-${order}`);
    await payOnForm(scene, merchant, `C-${order}`);
  }
}

/** Waits until an unpaid deposit expires. */
export async function expire({ stage }: DrillScene, merchant: TestMerchant, order: string): Promise<void> {
  await stage.depositOfThePast(merchant, order, OVERDUE_MS);
  stage.expire();
  const isExpired = async () => (await stage.state(merchant, order)) === 'fail';
  await until(`deposit ${merchant.id}/${order} expires`, isExpired, FINAL_WITHIN_MS);
}

export function command({ database }: CitusServers, line: string) {
  const variables = { DATABASE_URL: database.ownerConnectionString, GATEWAY_MASTER_KEY: MASTER_KEY };
  return runCommand(line.split(' '), variables);
}

/** Submits a batch of two payouts, and approves a payout, with the operator's commands. Returns the three payouts. */
export async function batchAndApprove(
  { servers }: DrillScene,
  merchant: TestMerchant,
  name: string,
): Promise<DrillPayout[]> {
  const { id } = merchant;
  const succeed = async (line: string) => {
    const { exitCode, stdout, stderr } = await command(servers, line);
    assert.equal(exitCode, 0, `gateway ${line}: ${stderr || stdout}`);
    return stdout;
  };
  const file = join(tmpdir(), `${name}.csv`);
  const rows = ['1', '2'].map((row) => `${name}-row-${row},1,4111111111111111,10.00,UAH`);
  await writeFile(file, ['payout_id,method,account,amount,currency', ...rows].join('\n'));
  const batch = /batch (\S+)/.exec(await succeed(`batch upload ${id} ${file}`))?.[1] ?? '';
  await rm(file);
  const isSubmitted = async () => (await command(servers, `batch submit ${id} ${batch}`)).exitCode === 0;
  await until(`batch ${id}/${batch} is checked and submitted`, isSubmitted, FINAL_WITHIN_MS);
  assert.equal((await merchant.pay(1, `${name}-large`, { amount: LARGE_AMOUNT }))['status'], 'Pending');
  await succeed(`payout approve ${id} ${name}-large --reason drill`);
  return ['row-1', 'row-2', 'large'].map((payoutId) => ({ merchant, payoutId: `${name}-${payoutId}`, method: 1 }));
}
