/** Paused merchants, methods and rails, and an unavailable bank: payouts wait, show the reason, and resume automatically. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PAYOUT_WAITS } from '../../../contract/texts/payout-waits.ts';
import type { PauseScope } from '../../../src/domain/routing/pause-store.ts';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { untilPaused } from '../../support/gateway/until-paused.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { assertExecutedOnce, BANK } from '../../support/rails/bank-under-control.ts';
import { until } from '../../support/tools/until.ts';

const QUEUED = { status: 'Pending', code: '40', description: 'Queued' };

let gateway: RunningGateway;
before(async () => {
  // After this time the gateway trusts a bank's response that it does not have the payout.
  gateway = await startGateway({ pace: { rail: { timeoutMs: 1_000, notFoundProofMs: 500 } } });
});
after(() => gateway.verifyAndStop());

const explained = async ({ id }: TestMerchant, payoutId: string) =>
  (await gateway.operations.payouts.find({ merchantId: id, payoutId }))?.pending;

describe('pauses', () => {
  const SCOPES: readonly (readonly [PauseScope, (merchant: TestMerchant) => string])[] = [
    ['merchant', ({ id }) => id],
    ['method', () => '1'],
    ['rail', () => BANK],
  ];
  for (const [scope, targetOf] of SCOPES) {
    it(`a payout of a paused ${scope} is sent after the resume`, async () => {
      const merchant = await gateway.merchant();
      const bystander = await gateway.merchant();
      const target = targetOf(merchant);
      assert.equal(await gateway.operations.pauses.pause(scope, target, 'the bank asked us to'), true);
      assert.equal(await gateway.operations.pauses.pause(scope, target, 'again'), false);
      await untilPaused(gateway, merchant, 1);

      assert.deepEqual(await merchant.pay(1, 'waits'), { ...QUEUED, payout_id: 'waits' });
      const [other, passes] = scope === 'merchant' ? [bystander, 1] : ([merchant, scope === 'rail' ? 70 : 16] as const);
      await other.pay(passes, 'passes');
      assert.equal((await other.final('passes'))['status'], 'Success', 'a payout outside the pause succeeds');

      assert.deepEqual(await merchant.status('waits'), { ...QUEUED, payout_id: 'waits' });
      const pending = await explained(merchant, 'waits');
      assert(pending?.reason === 'paused');
      const waits = PAYOUT_WAITS.paused(pending.facts);
      assert.match(waits.waitsFor, new RegExp(`paused ${scope} ${target}: the bank asked us to`));
      assert.equal(pending?.nextAt, null);
      assert.deepEqual(await gateway.bank.book(merchant.id, 'waits'), []);

      assert.equal(typeof (await gateway.operations.pauses.resume(scope, target)), 'number');
      assert.equal((await merchant.final('waits'))['status'], 'Success');
      assert.equal(await gateway.operations.pauses.resume(scope, target), undefined);
    });
  }

  it('a payout accepted directly after a resume is sent, even if other workers have not yet read the resume', async () => {
    const merchant = await gateway.merchant();
    await gateway.operations.pauses.pause('merchant', merchant.id, 'a moment');
    await untilPaused(gateway, merchant, 1);
    await gateway.operations.pauses.resume('merchant', merchant.id);
    await merchant.pay(1, 'at-once');
    assert.equal((await merchant.final('at-once'))['status'], 'Success');
  });

  it('a worker queries a payout’s status at its bank during a pause of the rail', async () => {
    const merchant = await gateway.merchant();
    await merchant.pay(1, 'at-bank', { amount: '10.42' });
    await until('the bank has the payout', async () => (await explained(merchant, 'at-bank'))?.reason === 'at_bank');
    await gateway.operations.pauses.pause('rail', BANK, 'for the test');
    assert.equal((await merchant.final('at-bank'))['status'], 'Success');
    await gateway.operations.pauses.resume('rail', BANK);
    await merchant.pay(1, 'after-it');
    assert.equal((await merchant.final('after-it'))['status'], 'Success');
  });
});

describe('a bank that is down', () => {
  it('payouts accepted while their bank is down succeed when it is back', async () => {
    const merchant = await gateway.merchant();
    await gateway.bank.faults({ down: true });
    const ids = Array.from({ length: 10 }, (_, index) => `down-${index}`);
    for (const id of ids) assert.deepEqual(await merchant.pay(1, id), { ...QUEUED, payout_id: id });
    await merchant.pay(70, 'sandbox');
    assert.equal((await merchant.final('sandbox'))['status'], 'Success', 'a payout on another rail succeeds');

    const pending = await until('the first attempt finished', async () => {
      const record = await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId: 'down-0' });
      return record?.attempts.some(({ finishedAt }) => finishedAt !== null) ? record.pending : undefined;
    });
    assert(pending && pending.note !== '' && pending.nextAt !== null, JSON.stringify(pending));
    assert.match(PAYOUT_WAITS[pending.reason](pending.facts).waitsFor, /bank/);

    await gateway.bank.faults({ down: false });
    for (const id of ids) assert.equal((await merchant.final(id))['status'], 'Success');
    await assertExecutedOnce(gateway.bank);
  });
});
