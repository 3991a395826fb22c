/**
 * The closed list of alerts: the severity, the runbook, and the sentence that begins the alert. The log, the posts to
 * ALERT_URL, the Prometheus rules and the reference use this table.
 */
import type { Level } from './log-events.ts';

/** How soon a user must act. `critical`: immediately, even at night. `warning`: within the day. `info`: no action is needed. */
export type Severity = 'critical' | 'warning' | 'info';

/** The level of an alert's log line. */
export const LEVELS: Readonly<Record<Severity, Level>> = { critical: 'error', warning: 'warn', info: 'info' };

/** The path of the page in the gateway's documentation, used if RUNBOOKS_URL is unset. */
export const RUNBOOKS_PAGE = 'docs/operations/runbooks.md';

interface AlertShape {
  readonly severity: Severity;
  /** The anchor of a section of RUNBOOKS_PAGE. */
  readonly runbook: string;
  readonly text: string;
}

function act(severity: Severity, runbook: string, text: string): AlertShape {
  return { severity, runbook, text };
}

const CALLBACKS = 'callbacks-are-not-delivered';
const WORKERS = 'no-worker-claims-payouts-or-callbacks';
const CRASHES = 'a-process-crashed-or-a-task-failed';

export const ALERTS = {
  credential_refused: act(
    'critical',
    'a-provider-refuses-our-credential',
    'A provider refuses our credential. Its payouts and payments wait. Check the variables of the rail.',
  ),
  rail_down: act(
    'warning',
    'a-bank-is-down',
    'A rail failed to respond to five consecutive payouts. The gateway probes it with one payout at a time. Other payouts wait or use another route. Check the status page of the provider.',
  ),
  rail_back: act('info', 'a-bank-is-down', 'A rail that was down responds again. No action is needed.'),
  proxy_not_trusted: act(
    'warning',
    'every-client-has-the-proxys-address',
    'Requests from one address carry X-Forwarded-For, but TRUSTED_PROXIES does not list it. If it is your proxy, add it. Until then, all clients share that address.',
  ),
  notification_unauthentic: act(
    'warning',
    'a-notification-is-not-authentic',
    'A notification failed authentication: its signature, credential or sender address is invalid. It had no effect.',
  ),
  notification_unknown_reference: act(
    'warning',
    'a-notification-does-not-match',
    'A provider notified us of a payout or payment that this gateway does not have. Run "gateway difference list".',
  ),
  notification_wrong_amount: act(
    'warning',
    'a-notification-does-not-match',
    'A provider notified us of a payout or payment whose amount differs from ours. Run "gateway difference list".',
  ),
  notification_unconfirmed: act(
    'warning',
    'a-large-transfer-is-not-confirmed',
    'A bank did not confirm its own notification of a large transfer or of a change after the final state. Run "gateway difference list".',
  ),
  payout_adjusted: act(
    'warning',
    'a-bank-changed-the-outcome-of-a-payout',
    'A bank changed the outcome of a payout after its final state. Run "gateway payout show", and inform the merchant.',
  ),
  payout_seal_broken: act(
    'critical',
    'a-payout-was-changed',
    'The row of a payout changed in the database after acceptance. The gateway does not send it. This may be fraud. Run "gateway payout show".',
  ),
  deposit_excess: act(
    'warning',
    'a-provider-took-back-more-than-was-paid',
    'A provider reversed more than a payment credited, or reversed an adjustment that it never reported. The gateway posted only part of it. Run "gateway difference list".',
  ),
  payouts_not_claimed: act(
    'critical',
    WORKERS,
    'Payouts are due and no worker claims them. Check that workers run, and that they have the variables of the rail.',
  ),
  payouts_unknown: act(
    'warning',
    'a-payout-does-not-end',
    'Payouts have had an unknown outcome for over an hour, and the bank does not report a result. Run "gateway rail list", and contact the bank.',
  ),
  payments_overdue: act(
    'warning',
    'a-payment-attempt-does-not-end',
    'Payments have not reached a final state by their deadline. Run "gateway deposit overdue", and contact the provider.',
  ),
  payouts_overdue: act(
    'warning',
    'a-payout-does-not-end',
    'Payouts have not reached a final state by their deadline. Run "gateway payout overdue", and contact the provider.',
  ),
  callbacks_late: act('critical', WORKERS, 'Callbacks are due and no worker sends them. Check the workers.'),
  callback_undelivered: act(
    'warning',
    CALLBACKS,
    'The gateway stopped delivering a callback, because the merchant never acknowledged it. Run "gateway callback resend" once its server responds.',
  ),
  callback_lane_paused: act(
    'warning',
    CALLBACKS,
    'A merchant’s callback URL keeps failing. The gateway pauses its callbacks and probes the URL with one callback. Run "gateway callback list", and inform the merchant.',
  ),
  transfer_held: act(
    'warning',
    'money-is-held-in-suspense',
    'The gateway holds money that does not match its deposit. Run "gateway deposit resolve" or "gateway deposit return".',
  ),
  attempts_limited: act(
    'warning',
    'card-testing-and-unwanted-messages',
    'The attempt limits reject many payments of one merchant. Someone may be testing stolen cards, or causing banks to message strangers. Inform the merchant, and disable the payment type if the attack continues.',
  ),
  float_low: act(
    'warning',
    'a-prefunded-balance-is-low',
    'The prefunded balance at a rail is below its threshold. Payouts queue when it runs out. Transfer money to the provider.',
  ),
  payouts_differ: act(
    'warning',
    'a-provider-and-the-ledger-disagree',
    'A provider and the ledger disagree about payouts. Run "gateway difference list".',
  ),
  recovering: act(
    'warning',
    'the-gateway-is-recovering',
    'The gateway was restored from a backup and is recovering. Run "gateway after-restore status" until the recovery is complete.',
  ),
  transfers_found: act(
    'warning',
    'stp-sends-no-notifications',
    'A bank lists transfers that it never notified us of. The gateway recorded them. Check the notification URL at the bank.',
  ),
  transfers_differ: act(
    'warning',
    'stp-lists-another-amount',
    'A bank lists a transfer with an amount that differs from the recorded amount. Run "gateway difference list".',
  ),
  addresses_low: act(
    'warning',
    'clabes-run-low',
    'Few unused payment addresses are left. When none is left, the gateway rejects deposits. Ask the provider for more.',
  ),
  invariant_broken: act(
    'critical',
    'gateway-verify-fails',
    'An invariant of the ledger is broken. Pause every rail, and run "gateway verify".',
  ),
  backup_not_proven: act(
    'warning',
    'a-backup-is-not-proven',
    'The newest backup failed its proof, or no backup was proved for two days. Run "gateway backup proofs".',
  ),
  emergency_act: act(
    'warning',
    'a-person-acted-without-a-second-person',
    'A user performed a sensitive action on the server’s command line without a second approver. Run "gateway audit list".',
  ),
  process_died: act(
    'warning',
    CRASHES,
    'A process of the gateway crashed, and the supervisor restarts it. Search the log for "process_died", and read the lines before it.',
  ),
  process_not_replaced: act(
    'warning',
    'the-gateway-does-not-start',
    'A process was not replaced: the new process ended during its start, and the old process continues. Read the last log lines of the new process.',
  ),
  internal_error: act(
    'warning',
    CRASHES,
    'The gateway could not respond to a request, because of a bug or because the outcome of its commit is unknown. Search the log for "request_failed".',
  ),
  problem: act('warning', CRASHES, 'A background task failed. Search the log for "problem".'),
} as const satisfies Readonly<Record<string, AlertShape>>;

export type AlertKind = keyof typeof ALERTS;
