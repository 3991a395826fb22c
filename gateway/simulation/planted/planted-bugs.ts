/**
 * Realistic bugs of the gateway, as edits of its source, each with the seed that found it. `npm run simulate -- --planted`
 * applies them one at a time to a copy of the source and runs new seeds to find them.
 */
export interface PlantedBug {
  readonly name: string;
  /** The file's path relative to `gateway/src`. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The plan that found it in the latest search. Null if no search has found it. */
  readonly foundBy: PlanOfBug | null;
}

interface PlanOfBug {
  readonly seed: string;
  readonly days: number;
  readonly scale: number;
  /** The probability of a stall after a bank's rejection. Default: as in every plan. */
  readonly rejectionStalls?: number;
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'a payout with an unknown outcome is sent again instead of asked about',
    file: 'domain/payouts/plan-answer.ts',
    before: `  unknown: { ...DOUBTED, outcome: 'unknown' },`,
    after: '  unknown: { ...REJECTED, waitMs: nextQueryMs },',
    foundBy: { seed: '3', days: 4, scale: 0.06 },
  },
  {
    name: 'a not found before the proof counts as proof',
    file: 'domain/payouts/plan-answer.ts',
    before: '+ rail.notFoundProofMs - query.askedAt;',
    after: '- query.askedAt;',
    foundBy: { seed: '5115', days: 1, scale: 0.3 },
  },
  {
    name: 'a worker sends after the deadline of its attempt',
    file: 'worker/payouts/send-claimed.ts',
    before: '  if (clock.now() + rail.timeoutMs > order.sendUntil)\n',
    after: '  if (clock.now() < 0)\n',
    foundBy: { seed: '384', days: 1, scale: 0.1 },
  },
  {
    name: 'a postponement ignores the fence of the lease',
    file: 'storage/payouts/payout-job-store.ts',
    before: 'and j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and j.fence = p.fence',
    after: 'and j.merchant_id = p.merchant_id and j.payout_id = p.payout_id',
    foundBy: { seed: '1', days: 4, scale: 0.3, rejectionStalls: 0.9 },
  },
  {
    name: 'a reroute ignores the fence of the lease',
    file: 'storage/payouts/payout-job-store.ts',
    before: `where merchant_id = $1 and payout_id = $2 and fence = $3 and stage in`,
    after: `where merchant_id = $1 and payout_id = $2 and $3::integer is not null and stage in`,
    foundBy: { seed: '10210', days: 1, scale: 1 },
  },
  {
    name: 'a rejected payout is retried after a year',
    file: 'domain/payouts/plan-answer.ts',
    before: '  not_accepted: { ...REJECTED, mayReroute: true },',
    after: '  not_accepted: { ...REJECTED, mayReroute: true, waitMs: () => 365 * 86_400_000 },',
    foundBy: { seed: '1', days: 4, scale: 0.1 },
  },
  {
    name: 'a notification is trusted without its amount',
    file: 'domain/notifications/process-payout-notification.ts',
    before: 'return money === null || isSameMoney(payout.money, money);',
    after: 'return money === null || isSameMoney(payout.money, payout.money);',
    foundBy: { seed: '4', days: 4, scale: 0.1 },
  },
  {
    name: 'a notified transfer is recorded without asking the bank',
    file: 'domain/notifications/process-notification.ts',
    before: `return news.kind === 'received' && news.ask\n    ?`,
    after: `return news.kind === 'received' && news.ask === null\n    ?`,
    foundBy: { seed: '4', days: 4, scale: 0.1 },
  },
  {
    name: 'a wrong clock counts as right',
    file: 'worker/clock-guard.ts',
    before: 'isRight = Math.abs(difference) <= CLOCK_TOLERANCE_MS;',
    after: 'isRight = Math.abs(difference) <= 1e12;',
    foundBy: { seed: '1195', days: 1, scale: 0.1 },
  },
  {
    name: 'a reversal of a paid payout changes nothing',
    file: 'domain/payouts/payout-transitions.ts',
    before: `own: { reversed: 'reverse', declined: 'contradict' },`,
    after: `own: { declined: 'contradict' },`,
    foundBy: { seed: '1', days: 4, scale: 0.1 },
  },
  {
    name: 'a reversal returns twice the amount',
    file: 'domain/ledger/journals.ts',
    before: 'payout.source, payout.amount),\n    ...repayFromSource(payout, balances, payout.amount),',
    after: 'payout.source, 2n * payout.amount),\n    ...repayFromSource(payout, balances, payout.amount),',
    foundBy: { seed: '61', days: 1, scale: 0.3 },
  },
  {
    name: 'a blocked payout keeps its fee and amount reserved',
    file: 'domain/ledger/journals.ts',
    before: "    ...transfer('release', 'reserved', payout.source, payout.amount),\n",
    after: '',
    foundBy: { seed: '1', days: 4, scale: 0.1 },
  },
  {
    name: 'a bank’s decline ends a payout as success',
    file: 'domain/payouts/plan-settlement.ts',
    before: `const state = report.event === 'executed' ? 'success' : 'blocked';
  const blockedReason = report.blockedReason ?? REASONS[report.event as keyof typeof REASONS];`,
    after: `const state = report.event === 'executed' || report.event === 'declined' ? 'success' : 'blocked';
  const blockedReason =
    state === 'success' ? null : (report.blockedReason ?? REASONS[report.event as keyof typeof REASONS]);`,
    foundBy: { seed: '68', days: 1, scale: 0.3 },
  },
  {
    name: 'a failed callback is not repeated',
    file: 'domain/callbacks/plan-delivery.ts',
    before: 'const offset = RETRY_OFFSETS_MS[attempts];',
    after: 'const offset = RETRY_OFFSETS_MS[attempts + 12];',
    foundBy: { seed: '13', days: 4, scale: 0.1 },
  },
  {
    name: 'a released lane forgets its due callbacks',
    file: 'storage/callbacks/lane-store.ts',
    before: `and c.merchant_id = lane.merchant_id and c.state = 'due' order by c.due_at limit 1), 'infinity')`,
    after: `and c.merchant_id = lane.merchant_id and c.state = 'due' and c.attempts = 0 order by c.due_at limit 1), 'infinity')`,
    foundBy: { seed: '46', days: 1, scale: 0.3 },
  },
  {
    name: 'a repeated payout request gets an error',
    file: 'domain/payouts/accept-payout.ts',
    before: `existing.contentHash.equals(contentHash) ? ok(existing)`,
    after: `existing.contentHash === contentHash ? ok(existing)`,
    foundBy: { seed: '3', days: 4, scale: 0.1 },
  },
  {
    name: 'a repeated request is judged by the balance before its id',
    file: 'domain/payouts/accept-payout.ts',
    before: `  if (outcome.kind === 'exists') {\n`,
    after: `  if (outcome.kind === 'exists' && outcome.payout.state !== 'pending') return fail({ kind: 'insufficient_funds' });\n  if (outcome.kind === 'exists') {\n`,
    foundBy: { seed: '5115', days: 1, scale: 0.3 },
  },
  {
    name: 'a deposit expires at the end of the payer’s time, before its grace',
    file: 'storage/deposits/open-deposits.ts',
    before: "'pending', created_at, expires_at, closes_at from fresh)",
    after: "'pending', created_at, expires_at, expires_at from fresh)",
    foundBy: { seed: '98', days: 1, scale: 0.3 },
  },
  {
    name: 'the callback of a blocked payout says success',
    file: 'protocol/callbacks/callback-payloads.ts',
    before: '    status,\n    code,\n    description: text,',
    after: "    status: 'Success',\n    code,\n    description: text,",
    foundBy: { seed: '3', days: 4, scale: 0.06 },
  },
  {
    name: 'the reconciliation of transfers records nothing',
    file: 'domain/reconciliation/reconcile-transfers.ts',
    before: `for (let first = 0; first < transfers.length; first += AT_ONCE) {`,
    after: `for (let first = AT_ONCE; first < transfers.length; first += AT_ONCE) {`,
    foundBy: { seed: '4', days: 4, scale: 0.1 },
  },
  {
    name: 'a claim begins the attempt of a payout that is in flight',
    file: 'storage/payouts/claim-payouts.ts',
    before: `    stage in (\${BEGINNABLE}) and paid_by is null and held_because`,
    after: `    stage in (\${BEGINNABLE}, 'sending') and paid_by is null and held_because`,
    foundBy: { seed: '3', days: 4, scale: 0.3 },
  },
  {
    name: 'an outcome is recorded without the lock of its merchant',
    file: 'storage/payouts/settle/write-settled.ts',
    before: `(j.stage = 'awaiting_approval') = s.awaiting\n    and (select count(*) from locked) > 0`,
    after: `(j.stage = 'awaiting_approval') = s.awaiting`,
    foundBy: { seed: '1', days: 4, scale: 0.06 },
  },
  {
    name: 'an operator cancels a payout that a bank may have',
    file: 'domain/payouts/payout-transitions.ts',
    before: `with_bank: { own: ENDS, payer: NONE, earlier: { executed: 'contradict' } },\n  paid_queued`,
    after: `with_bank: { own: { ...ENDS, cancelled: 'block' }, payer: NONE, earlier: { executed: 'contradict' } },\n  paid_queued`,
    foundBy: { seed: '682', days: 1, scale: 1 },
  },
  {
    name: 'a late execution of a blocked payout is not booked',
    file: 'domain/payouts/payout-transitions.ts',
    before: `own: { executed: 'execute_late', reversed: 'reverse' },`,
    after: `own: { reversed: 'reverse' },`,
    foundBy: { seed: '151', days: 1, scale: 0.3 },
  },
  {
    name: 'the end of a pause makes its payouts due after a year',
    file: 'domain/routing/pauses.ts',
    before: 'clock.now() + PAUSES_KNOWN_AFTER_MS);',
    after: 'clock.now() + 365 * 86_400_000);',
    foundBy: { seed: '2968', days: 1, scale: 0.1 },
  },
  {
    name: 'an executed payout leaves its money reserved',
    file: 'domain/ledger/journals.ts',
    before: `transfer('payout', 'reserved', `,
    after: `transfer('payout', 'available', `,
    foundBy: { seed: '1', days: 4, scale: 0.06 },
  },
  {
    name: 'a payout reserves less than its amount',
    file: 'domain/ledger/journals.ts',
    before: "    ...transfer('reserve', source, 'reserved', amount),",
    after: "    ...transfer('reserve', source, 'reserved', amount - 1n),",
    foundBy: { seed: '1', days: 4, scale: 0.06 },
  },
  {
    name: 'a callback without an acknowledgement counts as delivered',
    file: 'domain/callbacks/plan-delivery.ts',
    before: `if (outcome === 'accepted' || outcome === 'no_address') return { state: due[outcome] };`,
    after: `if (outcome !== 'no_address') return { state: due.accepted };`,
    foundBy: { seed: '3', days: 4, scale: 0.06 },
  },
  {
    name: 'the end of a deposit without money sends no callback',
    file: 'domain/deposits/plan-failure.ts',
    before: 'callbacks: [depositCallback(deposit, compose.deposit({ ...deposit, ...change }), at)],',
    after: 'callbacks: deposit ? [] : [depositCallback(deposit, compose.deposit({ ...deposit, ...change }), at)],',
    foundBy: { seed: '3', days: 4, scale: 0.1 },
  },
  {
    name: 'a deposit expires a month late',
    file: 'storage/deposits/deposit-store.ts',
    before: 'where finished_at is null and closes_at <= $1 and',
    after: `where finished_at is null and closes_at <= $1::timestamptz - interval '30 days' and`,
    foundBy: { seed: '3', days: 4, scale: 0.1 },
  },
  {
    name: 'a bank that contradicts the operator is not heard',
    file: 'domain/payouts/plan-settlement.ts',
    before: '  contradict: planContradiction,\n',
    after: '  contradict: () => undefined,\n',
    foundBy: { seed: '37', days: 1, scale: 1 },
  },
  {
    name: 'a payout without an approval waits indefinitely',
    file: 'domain/payouts/approval/expire-approvals.ts',
    before: `  await parts.settle(key, null, { event: 'lapsed', rail: null, detail, actor: 'gateway', at });\n`,
    after: '  void { detail, at };\n',
    foundBy: { seed: '3', days: 4, scale: 0.1 },
  },
  {
    name: 'a refund ignores the refunds before it',
    file: 'storage/deposits/receipt-balances.ts',
    before: 'const left = amount - taken_back - refunded;',
    after: 'const left = refunded >= 0n ? amount - taken_back : 0n;',
    foundBy: { seed: '4', days: 4, scale: 0.3 },
  },
  {
    name: 'a chargeback is acknowledged and not recorded',
    file: 'domain/payments/adjustments/record-adjustment.ts',
    before: `if (news.money !== null && news.money.minor <= 0n) return 'known';`,
    after: `if (news.kind === 'charged_back') return 'known';`,
    foundBy: { seed: '6', days: 4, scale: 0.3 },
  },
  {
    name: 'a process acts by the settings of a merchant for a day',
    file: 'domain/merchants/cached-merchant-directory.ts',
    before: 'Math.abs(now - readAt) < MERCHANT_FRESH_MS',
    after: 'Math.abs(now - readAt) < 86_400 * MERCHANT_FRESH_MS',
    foundBy: { seed: '4', days: 4, scale: 0.05 },
  },
  {
    name: 'two edits of one version of a merchant are both accepted',
    file: 'storage/merchants/merchant-store.ts',
    before: 'where m.merchant_id = $1 for no key update`;',
    after: 'where m.merchant_id = $1`;',
    foundBy: { seed: '8', days: 1, scale: 0.05 },
  },
  {
    name: 'a payment on the form that its provider does not find yet counts as never made',
    file: 'domain/payments/attempts/plan-attempt.ts',
    before: 'askedAt >= sendUntil + notFoundProofMs &&',
    after: 'askedAt + notFoundProofMs >= sendUntil &&',
    foundBy: { seed: '5563', days: 1, scale: 1 },
  },
  {
    name: 'a failover of two seconds fails the requests that begin in it',
    file: 'storage/core/patient-reads.ts',
    before: 'const PATIENCE_MS = 8 * SECOND_MS;',
    after: 'const PATIENCE_MS = 1 * SECOND_MS;',
    foundBy: { seed: '30', days: 4, scale: 0.05 },
  },
  {
    name: 'a restored gateway sends a payout without asking the banks first',
    file: 'storage/payouts/claim-payouts.ts',
    before: 'asksFirstSince}, false))',
    after: 'asksFirstSince}, true))',
    foundBy: { seed: '1012', days: 8, scale: 0.2 },
  },
];
