import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IncomingTransfer } from '../../domain/deposits/deposit.ts';
import type { ReceiptOutcome } from '../../domain/deposits/deposit-store.ts';
import type { SettlementOutcome } from '../../domain/payouts/payout-store.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import { createHooks } from './hooks.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

function open() {
  const events: string[] = [];
  const alerts: string[] = [];
  const metrics = createMetrics();
  const log: Log = (event, fields) => void events.push(`${event} ${Object.values(fields).join(' ')}`.trim());
  const hooks = createHooks({ log, metrics, raise: (kind, detail) => void alerts.push(`${kind}: ${detail}`) });
  const hasLine = async (line: string) => (await metrics.text()).split('\n').includes(line);
  return { hooks, events, alerts, hasLine };
}

function settled(change: boolean, adjusted: boolean): SettlementOutcome {
  return {
    kind: 'settled',
    plan: {
      change: change ? { state: 'success', blockedReason: null, finishedAt: NOON, rail: 'a_rail' } : null,
      journal: null,
      history: { at: NOON, event: 'executed', fromState: 'pending', toState: 'success', actor: 'a_rail', detail: '' },
      callbacks: [],
      adjustment: adjusted ? { kind: 'late_execution', at: NOON, detail: '', rail: null } : null,
      paidBy: null,
    },
  };
}

const key = { merchantId: 'M1', payoutId: 'A17' };

describe('the hooks', () => {
  it('a final payout is logged and counted without an alert', async () => {
    const { hooks, events, alerts, hasLine } = open();
    hooks.onSettled(key, settled(true, false));
    assert.deepEqual(events, ['payout_final M1 A17 executed success 0 a_rail']);
    assert.ok(await hasLine('gateway_payouts_final_total{state="success",code="0",actor="a_rail"} 1'));
    assert.deepEqual(alerts, []);
  });

  it('an adjustment of a final payout raises an alert', () => {
    const { hooks, alerts } = open();
    hooks.onSettled(key, settled(false, true));
    assert.deepEqual(alerts, ['payout_adjusted: M1/A17: late_execution, reported by a_rail']);
  });

  it('an outcome without an effect is not logged', () => {
    const { hooks, events } = open();
    hooks.onSettled(key, { kind: 'lease_lost' });
    assert.deepEqual(events, []);
  });

  it('an unauthentic notification raises an alert', () => {
    const { hooks, alerts } = open();
    const rail = 'a_rail';
    hooks.onNotification({ kind: 'recorded', rail, reference: '1', news: 'executed' }, false);
    hooks.onNotification({ kind: 'known', rail, reference: '1', news: 'executed' }, false);
    hooks.onNotification({ kind: 'malformed', rail, reason: 'status' }, false);
    hooks.onNotification({ kind: 'overloaded', rail }, false);
    hooks.onNotification({ kind: 'unauthentic', rail }, false);
    hooks.onNotification({ kind: 'unknown_reference', rail, reference: '2' }, true);
    hooks.onNotification({ kind: 'wrong_amount', rail, reference: '3' }, true);
    hooks.onNotification({ kind: 'unconfirmed', rail, reference: '4', reason: 'HTTP 500' }, true);
    hooks.onNotification(
      { kind: 'unconfirmed', rail, reference: '5', reason: 'the notification does not contain an amount' },
      false,
    );
    assert.deepEqual(alerts, [
      'notification_unauthentic: a_rail',
      'notification_unknown_reference: a_rail 2',
      'notification_wrong_amount: a_rail 3',
      'notification_unconfirmed: a_rail 4',
    ]);
  });

  it('a held transfer without a deposit is logged and raises an alert, both with the transfer key', () => {
    const { hooks, events, alerts } = open();
    const transfer = { rail: 'a_rail', transferKey: 'T1/40012' } as IncomingTransfer;
    const plan = { transfer: { state: 'held', mismatch: 'unmatched' }, change: null };
    hooks.onTransferReceived(transfer, { kind: 'recorded', plan } as ReceiptOutcome, undefined);
    assert.deepEqual(events, ['transfer_received a_rail T1/40012 operator held unmatched']);
    assert.deepEqual(alerts, ['transfer_held: a_rail T1/40012: unmatched']);
  });

  it('a refused credential raises an alert', () => {
    const { hooks, alerts } = open();
    hooks.onCredentialRefused('a_rail');
    assert.deepEqual(alerts, ['credential_refused: a_rail']);
  });

  it('overdue payments and payouts raise one alert per kind, which lists the rails', () => {
    const { hooks, alerts } = open();
    const payment = { what: 'payments', rail: 'a_rail', count: 2, oldestDeadline: NOON - 61 * MINUTE_MS } as const;
    hooks.onOverdue([payment, { ...payment, rail: 'b_rail' }, { ...payment, what: 'payouts', count: 1 }], NOON);
    assert.deepEqual(alerts, [
      'payments_overdue: rail a_rail: 2, the oldest for 1 hours; rail b_rail: 2, the oldest for 1 hours',
      'payouts_overdue: rail a_rail: 1, the oldest for 1 hours',
    ]);
    hooks.onOverdue([], NOON);
    assert.equal(alerts.length, 2);
  });

  it('a paused callback lane raises one alert per pause, not one per failure', () => {
    const { hooks, alerts } = open();
    for (const failures of [5, 6, 7]) {
      hooks.onCallbackEvent({ kind: 'lane_paused', merchantId: 'M1', failures, until: NOON });
    }
    assert.deepEqual(alerts, ['callback_lane_paused: M1']);
  });

  it('callback attempts are counted by outcome, and an undelivered callback raises an alert', async () => {
    const { hooks, alerts, hasLine } = open();
    const attempt = { merchantId: 'M1', callbackId: 'c', attempt: 14, httpStatus: 500, latencyMs: 3, waitedMs: null };
    hooks.onCallbackEvent({ kind: 'attempted', ...attempt, outcome: 'refused_status' });
    hooks.onCallbackEvent({ kind: 'undelivered', merchantId: 'M1', callbackId: 'c', outcome: 'refused_status' });
    assert.ok(await hasLine('gateway_callback_attempt_seconds_count{outcome="refused_status"} 1'));
    assert.ok(await hasLine('gateway_callbacks_finished_total{state="undelivered"} 1'));
    assert.deepEqual(alerts, ['callback_undelivered: M1 c: refused_status']);
  });
});
