import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { createPayoutRecordStore } from './payout-record-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());

it('the history of a payout that an earlier version accepted contains the English text of its reasons', async () => {
  await bench.store.accept(await bench.newPayout('m', 'earlier', 10n));
  await bench.owner.query("update payouts set accepted_why = 'bank: the only route' where payout_id = 'earlier'");
  const found = await createPayoutRecordStore(bench.database).record({ merchantId: 'm', payoutId: 'earlier' });
  assert.deepEqual(
    found?.history.map(({ event, detail, reasons }) => ({ event, detail, reasons })),
    [{ event: 'accepted', detail: 'bank: the only route', reasons: [] }],
  );
});
