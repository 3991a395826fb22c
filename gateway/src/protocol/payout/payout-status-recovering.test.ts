/** Responses to merchants about payouts that a restored gateway may have lost (decision 55). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { WIRE_KEY } from '../../../test/support/merchants/wire-merchants.ts';
import {
  fullySigned,
  payoutRequest,
  post,
  type RequestFields,
  type WireAnswer,
} from '../../../test/support/payouts/payout-request.ts';
import { type PayoutWire, startPayoutWire } from '../../../test/support/payouts/payout-wire.ts';
import type { Recovery } from '../../domain/recovery/recovery.ts';

const RECOVERY: Recovery = {
  knownUntil: Date.UTC(2026, 10, 20, 11),
  startedAt: Date.UTC(2026, 10, 20, 12),
  startedBy: 'Ann',
  reason: 'the disk died',
  completed: null,
  rails: [],
};

let wire: PayoutWire;
before(async () => {
  wire = await startPayoutWire();
  const known = payoutRequest({ merchant: 'M1', key: WIRE_KEY, method: 9, payoutId: 'KNOWN', change: {} });
  await post(`${wire.url}/merchant/api/payout_send`, known);
});
after(() => wire.stop());
beforeEach(() => {
  wire.recovery = RECOVERY;
});

const ask = (path: string, fields: RequestFields): Promise<WireAnswer> =>
  post(wire.url + path, fullySigned({ merchant: 'M1', ...fields }, WIRE_KEY));
const status = (payoutId: string) => ask('/merchant/api/payout_status', { payout_id: payoutId });
const statusOf = ({ json }: WireAnswer) => (json as Record<string, string>)['status'];

function assertNotKnownYet({ status: code, text, headers }: WireAnswer): void {
  assert.deepEqual([code, text, headers.get('retry-after')], [500, '', '60']);
}

describe('payout_status of a recovering gateway', () => {
  it('payout_status of a recovering gateway returns 500 with an empty body and Retry-After for an unknown id', async () => {
    assertNotKnownYet(await status('FORGOTTEN'));
    assert.deepEqual(wire.internalErrors, []);
  });

  it('payout_status of a recovering gateway returns the normal response for a known id', async () => {
    assert.equal(statusOf(await status('KNOWN')), 'Pending');
  });

  it('payout_status returns "Payout not found" for an unknown id once the recovery is completed', async () => {
    wire.recovery = { ...RECOVERY, completed: { at: RECOVERY.startedAt + 1, by: 'Ann' } };
    assert.match((await status('FORGOTTEN')).text, /Payout not found/);
  });

  it('payout_status never returns "Payout not found" for a payout lost in the restore that a provider has listed', async () => {
    wire.recovery = { ...RECOVERY, completed: { at: RECOVERY.startedAt + 1, by: 'Ann' } };
    wire.listed.add('LISTED');
    assertNotKnownYet(await status('LISTED'));
  });
});

describe('payment-list of a recovering gateway', () => {
  const list = (from: string, to: string) =>
    ask('/api/payment-list', {
      currency: 'EUR',
      order: '0',
      status: 'all',
      type: 'withdrawal',
      start_date: from,
      finish_date: to,
    });

  it('payment-list of a recovering gateway returns 500 for a period inside the recovery window', async () => {
    assertNotKnownYet(await list('2026-11-01', '2026-12-01'));
    assertNotKnownYet(await list('2026-11-20 11:59:59', '2026-11-20 13:00:00'));
    assertNotKnownYet(await list('2026-11-20 10:00:00', '2026-11-20 11:00:01'));
  });

  it('payment-list of a recovering gateway serves periods before and after the recovery window', async () => {
    assert.equal((await list('2026-11-20 10:00:00', '2026-11-20 11:00:00')).status, 200);
    assert.equal((await list('2026-11-20 12:00:00', '2026-11-20 13:00:00')).status, 200);
  });
});
