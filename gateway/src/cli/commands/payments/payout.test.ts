import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOver as run } from '../../../../test/support/gateway/run-over.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';

const AT = Date.UTC(2026, 10, 20, 10, 0, 0);

function payout(over: Partial<Payout> = {}): Payout {
  return {
    merchantId: 'M1',
    payoutId: 'A17',
    transactionId: 1024,
    purpose: 'payout',
    method: 9,
    money: { currency: 'EUR', minor: 1_050n },
    amountText: '10.5',
    fee: 25n,
    rail: 'bank',
    beneficiary: { accountShown: '530011******3333', fields: {}, vaultToken: 't' },
    contentHash: Buffer.alloc(32),
    state: 'pending',
    blockedReason: null,
    acceptedAt: AT,
    finishedAt: null,
    ...over,
  };
}

test('payout list prints an aligned table with UTC times and masked cards', async () => {
  const items = [payout(), payout({ payoutId: 'long-payout-id', state: 'success', finishedAt: AT })];
  const payouts = async () => ({ items, next: null });
  const { stdout } = await run('payout list', { lists: { payouts } });
  const [header = '', first = '', second = ''] = stdout.split('\n');
  assert.match(
    first,
    /^2026-11-20 10:00:00 {2}M1 {8}A17 {13}9 {7}10\.50 EUR {2}pending {2}Queued {5}bank {2}530011\*{6}3333$/,
  );
  assert.equal(header.indexOf('STATE'), first.indexOf('pending'));
  assert.equal(header.indexOf('STATE'), second.indexOf('success'));
});

test('payout list --csv prints cells that no spreadsheet evaluates as formulas', async () => {
  const payouts = async () => ({ items: [payout({ payoutId: '=1+1' })], next: null });
  const { stdout } = await run('payout list --csv', { lists: { payouts } });
  const [header = '', row = ''] = stdout.split('\r\n');
  assert.match(header, /^merchantId,payoutId,transactionId,/);
  assert.match(row, /^M1,'=1\+1,/);
});

test('payout show explains a pending payout', async () => {
  const find = async () => ({
    payout: payout(),
    job: null,
    attempts: [
      { attempt: 1, rail: 'bank', reference: 'r-1', startedAt: AT, finishedAt: null, outcome: null, detail: '' },
    ],
    history: [
      {
        at: AT,
        event: 'accepted',
        fromState: null,
        toState: 'pending' as const,
        actor: 'merchant',
        detail: '',
        reasons: [],
      },
    ],
    adjustments: [],
    money: [],
    callbacks: [],
    pending: {
      reason: 'unknown' as const,
      facts: { rail: 'bank', isUnsent: false, attempts: 1, asks: 2, paidBy: null, pause: undefined },
      since: AT,
      nextAt: AT + 60_000,
      note: 'timed out',
    },
  });
  const obstacles = async () => ({ approve: 'not_waiting' as const, cancel: null, ask: null });
  const human = await run('payout show M1 A17', { payouts: { find, obstacles } });
  for (const text of [
    'Why it is pending',
    'its outcome: the bank behind bank gave no usable response',
    'the gateway queries the bank (2 times so far)',
    'at 2026-11-20 10:01:00',
    'no response yet',
    'accepted',
    'The payout does not await approval.',
    'possible now',
  ]) {
    assert.ok(human.stdout.includes(text), text);
  }
  const json = JSON.parse((await run('--json payout show M1 A17', { payouts: { find, obstacles } })).stdout);
  assert.equal(json.pending.nextAt, '2026-11-20T10:01:00.000Z');
  assert.equal(json.attempts[0].startedAt, '2026-11-20T10:00:00.000Z');
  assert.deepEqual(json.acts[1], { act: 'payouts.cancel', reason: null, obstacle: null });
});
