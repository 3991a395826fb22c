/**
 * A machine whose clock differs from the database's, as after a wrong NTP step. Other processes would misinterpret the times
 * that it writes: they would query a provider too early, accept "not found" as proof and let the payer pay twice.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/foundation/clock.ts';
import { createFormPayer } from '../../support/form/form-payer.ts';
import { formLink } from '../../support/form/form-stage.ts';
import { freePort, type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { type StpUnderControl, startStpUnderControl } from '../../support/rails/stp-under-control.ts';
import { until } from '../../support/tools/until.ts';
import { createWokenClock } from '../../support/tools/woken-clock.ts';

/** No provider listens here, so an attempt is not accepted. */
const NOBODY = 'http://127.0.0.1:1/v72';
const CARD = { card_number: '4111 1111 1111 1111', card_expiry: '03 / 30', card_cvv: '737', card_holder: 'OLENA S' };

let stp: StpUnderControl;
let gateway: RunningGateway;
let merchant: TestMerchant;
const machine = createWokenClock();
let offMs = 0;

before(async () => {
  const port = await freePort();
  stp = await startStpUnderControl(`http://127.0.0.1:${port}/rail-notifications/stp`);
  gateway = await startGateway({
    variables: { ...stp.variables, PORT: String(port), ADYEN_URL: NOBODY },
    clock: { ...machine, now: () => machine.now() + offMs },
  });
  merchant = await gateway.merchant();
});
afterEach(() => {
  offMs = 0;
});
after(async () => {
  await stp.close();
  await gateway.verifyAndStop();
});

const saidOff = () => gateway.log.filter((line) => line.includes("clock differs from the database's")).length;

it('a payer does not start an attempt on a machine whose clock is two minutes slow', async () => {
  const payer = createFormPayer(gateway.url, {});
  const order = 'slow';
  const page = await payer.open(formLink({ merchant: merchant.id, order, payment_type: 'card' }));
  const pay = () => payer.press(page, 'pay', { ...CARD, email: 'olena@example.com' });
  offMs = -2 * MINUTE_MS;
  assert.equal((await pay()).heading, 'This way to pay is not available right now');
  assert.ok(saidOff() > 0);
  assert.equal(await gateway.operations.deposits.find(merchant.id, order), undefined);
  offMs = 0;
  await pay();
  assert.equal((await gateway.operations.deposits.find(merchant.id, order))?.attempts.length, 1);
});

it('an open deposit does not expire on a machine whose clock is days fast', async () => {
  await merchant.deposit('fast');
  const stateOf = async () => (await gateway.operations.deposits.find(merchant.id, 'fast'))?.deposit.state;
  offMs = 5 * DAY_MS;
  const before = saidOff();
  await until('the schedule looked at the clock', () => {
    machine.wake(10 * SECOND_MS);
    return saidOff() > before + 5;
  });
  assert.equal(await stateOf(), 'pending');
});
