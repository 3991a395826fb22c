/**
 * Someone may miss an alert. So the gateway also keeps the matter of each alert about money: as a difference, or in a
 * list that an operator reads, until an operator resolves it.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { COMPARED_KINDS, DIFFERENCE_KINDS, type DifferenceKind } from '../../domain/differences/difference.ts';
import { ALERTS, type AlertKind } from './alert-kinds.ts';
import { LOG_EVENTS, type LogEvent } from './log-events.ts';

type Kept =
  | { readonly differences: readonly DifferenceKind[] }
  /** The command that lists the objects, or ends what the alert is about. */
  | { readonly command: string }
  /** The gateway booked the money as the bank says, so both agree. */
  | 'booked'
  | 'about no money';

const KEPT: Readonly<Record<AlertKind, Kept>> = {
  credential_refused: 'about no money',
  rail_down: 'about no money',
  rail_back: 'about no money',
  proxy_not_trusted: 'about no money',
  notification_unauthentic: 'about no money',
  notification_unknown_reference: { differences: ['unknown_reference'] },
  notification_wrong_amount: { differences: ['payout_amount'] },
  notification_unconfirmed: { differences: ['unconfirmed'] },
  payout_adjusted: 'booked',
  payout_seal_broken: { command: 'gateway payout show' },
  deposit_excess: { differences: ['excess', 'refund_amount', 'reversal_amount'] },
  payouts_not_claimed: 'about no money',
  payouts_unknown: { command: 'gateway rail list' },
  payments_overdue: { command: 'gateway deposit overdue' },
  payouts_overdue: { command: 'gateway payout overdue' },
  callbacks_late: 'about no money',
  callback_undelivered: 'about no money',
  callback_lane_paused: 'about no money',
  transfer_held: { command: 'gateway deposit resolve' },
  attempts_limited: 'about no money',
  float_low: 'about no money',
  payouts_differ: { differences: [...COMPARED_KINDS, 'contradiction'] },
  recovering: { command: 'gateway after-restore status' },
  transfers_found: 'booked',
  transfers_differ: { differences: ['transfer_amount', 'transfer_unreadable'] },
  addresses_low: 'about no money',
  invariant_broken: { command: 'gateway verify' },
  backup_not_proven: 'about no money',
  emergency_act: 'about no money',
  process_died: 'about no money',
  process_not_replaced: 'about no money',
  internal_error: 'about no money',
  problem: 'about no money',
};

/** By log event about a payout, a payment or a notification, from `warn` on: the alerts that say the same. */
const ALERTS_OF_EVENTS: Readonly<Partial<Record<LogEvent, readonly AlertKind[]>>> = {
  payout_adjusted: ['payout_adjusted', 'payouts_differ'],
  payout_seal_broken: ['payout_seal_broken'],
  deposit_displaced: ['transfer_held'],
  deposit_adjusted: ['deposit_excess'],
  rail_notification_rejected: [
    'notification_unknown_reference',
    'notification_wrong_amount',
    'notification_unconfirmed',
  ],
};

const LISTS_DIFFERENCES = 'gateway difference list';
const MONEY_EVENTS = /^(?:payout|deposit|payment|transfer|refund|rail_notif)/;

it('an alert about a disagreement over money refers to a stored difference or list', () => {
  assert.deepEqual(Object.keys(KEPT).sort(), Object.keys(ALERTS).sort());
  for (const [alert, kept] of Object.entries(KEPT)) {
    const { text } = ALERTS[alert as AlertKind];
    const isDifference = typeof kept === 'object' && 'differences' in kept;
    assert.equal(text.includes(LISTS_DIFFERENCES), isDifference, alert);
    if (typeof kept === 'object' && 'command' in kept) assert.ok(text.includes(`"${kept.command}`), alert);
    if (kept === 'about no money')
      assert.doesNotMatch(text, /disagree|differs|took back|Unmatched|"gateway (?:difference|payout|deposit)/, alert);
  }
});

it('each kind of difference raises exactly one kind of alert', () => {
  const raised = Object.values(KEPT).flatMap((kept) =>
    typeof kept === 'object' && 'differences' in kept ? kept.differences : [],
  );
  assert.deepEqual([...raised].sort(), [...DIFFERENCE_KINDS].sort());
});

it('each warning about money in the log has an alert about a stored object', () => {
  const warnings = Object.entries(LOG_EVENTS).filter(
    ([event, { level }]) => (level === 'warn' || level === 'error') && MONEY_EVENTS.test(event),
  );
  assert.deepEqual(warnings.map(([event]) => event).sort(), Object.keys(ALERTS_OF_EVENTS).sort());
  for (const alert of Object.values(ALERTS_OF_EVENTS).flat()) assert.notEqual(KEPT[alert], 'about no money', alert);
});
