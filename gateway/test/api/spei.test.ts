/** SPEI deposits from outside: a merchant asks for a CLABE, payers pay at the simulator of STP, the merchant is told. */
import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { type StpServer, startStp } from '../../../rail-simulators/src/stp/stp-server.ts';
import { freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import type { TestMerchant } from '../support/test-merchant.ts';

const CONTROL_SECRET = 'control';
const CREATE = '/api/v2/spei/host2host/create';

let folder: string;
let stp: StpServer;
let gateway: RunningGateway;
let orders = 0;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'spei-'));
  const port = await freePort();
  const abonoUrl = `http://127.0.0.1:${port}/rail-notifications/stp`;
  stp = await startStp({
    host: '127.0.0.1',
    port: 0,
    secret: CONTROL_SECRET,
    empresa: 'GATEWAY',
    clabePrefix: '6461804990',
    findPublicKey: () => createPublicKey(readFileSync(path.join(folder, 'stp-public-key.pem'))),
    notify: { abonoUrl, stateUrl: abonoUrl },
    control: true,
    clock: systemClock,
    log: () => {},
  });
  gateway = await startGateway({
    variables: {
      PORT: String(port),
      STP_URL: stp.url,
      STP_PRIVATE_KEY_FILE: path.join(folder, 'stp-private-key.pem'),
    },
  });
});

after(async () => {
  await stp.close();
  await gateway.verifyAndStop();
  await rm(folder, { recursive: true });
});

async function create(merchant: TestMerchant, change: Record<string, string> = {}) {
  const body = JSON.stringify({
    order: `N${++orders}`,
    amount: '100.00',
    currency: 'MXN',
    user_id: 'u1',
    first_name: 'José',
    last_name: 'Muñoz',
    ...change,
  });
  const hex = createHmac('sha256', merchant.key).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-merchant': merchant.id,
    'x-sign': Buffer.from(hex).toString('base64'),
  };
  const answer = await fetch(`${gateway.url}${CREATE}`, { method: 'POST', headers, body });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Record<string, string | number>;
}

async function pay(clabe: unknown, behaviour: string, amount = '100.00'): Promise<void> {
  const answer = await fetch(`${stp.url}/control/pay`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CONTROL_SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ clabe, amount, behaviour }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

async function callbackOf(order: unknown): Promise<Record<string, string>> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const found = gateway.receiver.arrivals.find(({ fields }) => fields['co_order_no'] === order);
    if (found) return found.fields;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail(`no callback for ${order}`);
}

describe('a SPEI deposit', () => {
  it('gives a CLABE, is paid, and is told with its co_sign', async () => {
    const merchant = await gateway.merchant();
    const created = await create(merchant);
    assert.equal(created['status'], 'success');
    assert.match(String(created['clabe']), /^6461804990\d{8}$/);
    await pay(created['clabe'], 'exact');
    const fields = await callbackOf(created['order']);
    assert.equal(fields['co_inv_st'], 'success');
    assert.equal(fields['co_amount'], '100.00');
    assert.equal(fields['co_to_wlt'], '100.00');
    assert.equal(fields['co_inv_id'], String(created['transactionId']));
  });

  it('takes ten tellings of one abono for one', async () => {
    const merchant = await gateway.merchant();
    const created = await create(merchant);
    await pay(created['clabe'], 'notified_ten_times');
    await callbackOf(created['order']);
    await gateway.verify();
  });

  it('refuses the same order again', async () => {
    const merchant = await gateway.merchant();
    const created = await create(merchant);
    const again = await create(merchant, { order: String(created['order']) });
    assert.deepEqual(
      [again['status'], again['description'], again['clabe'], again['transactionId']],
      ['fail', 'Order already exists', '', 0],
    );
  });

  for (const behaviour of ['short', 'over', 'twice', 'unknown_clabe', 'foreign_clabe']) {
    it(`keeps the books right when a payer pays ${behaviour}`, async () => {
      const merchant = await gateway.merchant();
      const created = await create(merchant);
      await pay(created['clabe'], behaviour);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await gateway.verify();
    });
  }
});
