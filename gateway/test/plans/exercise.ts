/**
 * Runs every function of the gateway once, so that the recorder sees every statement: through the APIs, the operator's
 * commands, the worker and the schedule. Other tests check the responses.
 */
import assert from 'node:assert/strict';
import { closeHours } from '../../src/domain/ledger/close-hours.ts';
import { OPERATOR_MERCHANT } from '../../src/domain/merchants/merchant.ts';
import { destroyOldSessions } from '../../src/domain/payments/sessions/destroy-old-sessions.ts';
import { readOpeningHours } from '../../src/domain/routing/opening-hours.ts';
import { destroyExpiredRecords } from '../../src/domain/vault/destroy-expired-records.ts';
import { DAY_MS, HOUR_MS, systemClock } from '../../src/foundation/clock.ts';
import { createActStore } from '../../src/storage/audit/act-store.ts';
import { createLaneStore } from '../../src/storage/callbacks/lane-store.ts';
import { createConformanceStore } from '../../src/storage/conformance/conformance-store.ts';
import { createExclusiveWork } from '../../src/storage/core/commits/exclusive-work.ts';
import { readClockDifference } from '../../src/storage/core/connection/clock-difference.ts';
import { readLoginRights } from '../../src/storage/core/connection/login-rights.ts';
import { readServerSettings } from '../../src/storage/core/connection/server-settings.ts';
import { createDifferenceStore } from '../../src/storage/differences/difference-store.ts';
import { createClosingStore } from '../../src/storage/ledger/closing-store.ts';
import { createVolumeStore } from '../../src/storage/ledger/volume-store.ts';
import { watchPostings } from '../../src/storage/ledger/watch-postings.ts';
import { createSearchStore } from '../../src/storage/lists/search-store.ts';
import { createMerchantStore } from '../../src/storage/merchants/merchant-store.ts';
import { createOverdueStore } from '../../src/storage/monitoring/overdue-store.ts';
import { createProcessStore } from '../../src/storage/monitoring/process-store.ts';
import { readQueueStatistics } from '../../src/storage/monitoring/queue-statistics.ts';
import { createBankListStore } from '../../src/storage/payments/banks/bank-list-store.ts';
import { createPaymentStore } from '../../src/storage/payments/payment-store.ts';
import { createApprovalStore } from '../../src/storage/payouts/approval/approval-store.ts';
import { createPayoutJobStore } from '../../src/storage/payouts/payout-job-store.ts';
import { createPayoutRecordStore } from '../../src/storage/payouts/payout-record-store.ts';
import { lockJobs } from '../../src/storage/payouts/payout-rows.ts';
import { createRailHealthStore } from '../../src/storage/rails/rail-health-store.ts';
import { createReconciliationStore } from '../../src/storage/reconciliation/reconciliation-store.ts';
import { createLineageStore } from '../../src/storage/recovery/lineage-store.ts';
import { createRecoveryStore } from '../../src/storage/recovery/recovery-store.ts';
import { createStatementKeyStore } from '../../src/storage/statements/statement-key-store.ts';
import { createStatementStore } from '../../src/storage/statements/statement-store.ts';
import { createVaultStore } from '../../src/storage/vault/vault-store.ts';
import { openDepositBench } from '../support/deposits/stored-deposits.ts';
import { startGateway } from '../support/gateway/running-gateway.ts';
import { acceptWaiting, approvalCommands } from '../support/payouts/awaiting-payouts.ts';
import { claimOf, openPayoutBench, type PayoutBench } from '../support/payouts/stored-payouts.ts';
import { BANK } from '../support/rails/bank-under-control.ts';
import { REFERENCE_KEY } from '../support/tools/reference-key.ts';
import { exerciseBatches } from './exercise-batches.ts';
import { exerciseLists } from './exercise-lists.ts';
import { exercisePayments } from './exercise-payments.ts';
import { exerciseProposals } from './exercise-proposals.ts';
import { exerciseRequestLog } from './exercise-request-log.ts';
import { exerciseSignIn } from './exercise-sign-in.ts';

const FAR = Date.UTC(2100, 0, 1);

export async function exerciseEverything(): Promise<void> {
  await exercisePayouts();
  await exerciseRerouting();
  await exerciseApprovals();
  await exerciseDeposits();
  await exercisePayments();
  await exercisePeople();
}

async function exercisePayouts(): Promise<void> {
  const gateway = await startGateway();
  const { operations } = gateway;
  const merchant = await gateway.merchant();
  await merchant.pay(1, 'paid');
  await merchant.pay(1, 'paid');
  await merchant.pay(1, 'declined', { amount: '10.51' });
  await merchant.pay(70, 'sandbox');
  await merchant.final('paid');
  await merchant.final('declined');
  await merchant.balance('UAH');
  for (const status of ['all', 'pending', 'success', 'blocked']) {
    await merchant.list('UAH', { status });
    await merchant.list('UAH', { status, after: '1' });
    await merchant.list('MXN', { status: status === 'blocked' ? 'fail' : status, type: 'deposit', after: '1' });
  }
  await merchant.list('UAH', { order: 'paid' });
  await merchant.list('MXN', { order: 'N1', type: 'deposit' });
  await exerciseLists(operations, gateway.database.pool);
  const record = await operations.payouts.find({ merchantId: merchant.id, payoutId: 'paid' });
  const [callback] = record?.callbacks ?? [];
  assert(callback);
  await operations.callbacks.find(callback);
  await operations.callbacks.pace(merchant.id, 48);
  await operations.callbacks.failing();
  await operations.callbacks.resend(callback);
  await operations.callbacks.resendUndelivered(merchant.id, 0);
  for (const [scope, target] of [
    ['rail', BANK],
    ['method', '1'],
    ['merchant', merchant.id],
  ] as const) {
    await operations.pauses.pause(scope, target, 'for the test');
    await operations.pauses.resume(scope, target);
  }
  await operations.pauses.list();
  const route = { method: 1, merchantId: null, rail: BANK, rank: 1, weight: null };
  await operations.routes.set({ ...route, minAmount: null, maxAmount: null, costFixed: 0n, costPercent: 0n });
  await operations.routes.read();
  await operations.routes.replay([], 1);
  await operations.routes.remove(1, null, BANK, 'stale');
  await operations.routes.remove(1, null, BANK);
  await operations.routes.setHours(BANK, readOpeningHours('Mon-Sun 00:00-24:00 UTC') ?? null);
  await operations.routes.setHours(BANK, null);
  await gateway.database.pool.query(`update callbacks set state = 'undelivered', due_at = null`);
  await operations.callbacks.resendUndelivered(merchant.id, 0);
  await operations.merchants.edit(merchant.id, { profile: { name: 'x' }, settings: {} });
  await operations.merchants.rotateKey(merchant.id, { key: undefined, overlapHours: undefined });
  await operations.merchants.find(merchant.id);
  await operations.merchants.list();
  await operations.deposits.find(merchant.id, 'N1');
  await operations.deposits.held(10);
  await operations.deposits.overdue(10);
  await operations.payouts.overdue(10);
  await operations.payouts.late('m', 10);
  await gateway.stop();
}

async function exerciseRerouting(): Promise<void> {
  const bench = await openPayoutBench();
  await bench.fund('rerouting', 100n);
  await bench.store.accept(await bench.newPayout('rerouting', 'R1', 10n, { rail: 'first_rail' }));
  const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
  const now = bench.clock.now();
  const [claim] = await jobs.claim(claimOf('first_rail', now, now + 1));
  assert(claim);
  for (const looks of [1, 2]) assert.deepEqual(await jobs.claim(claimOf('first_rail', now, now + 1)), [], `${looks}`);
  await jobs.railIsBack('first_rail', now);
  await jobs.reroute({ claim, at: now, dueAt: now, rail: 'second_rail', note: 'no connection' });
  await bench.store.accept(await bench.newPayout('rerouting', 'R2', 10n, { rail: 'third_rail' }));
  const [unasked] = await jobs.claim({ ...claimOf('third_rail', now, now + 1), asksFirstSince: now });
  assert(unasked && !unasked.isBegun);
  const known = { rail: 'fourth_rail', reference: 'X', writtenFrom: now, detail: '' };
  await jobs.recognise([{ claim: unasked, at: now, actor: 'gateway', certainly: null, ...known }]);
  const rerouted = { payout: { merchantId: 'rerouting', payoutId: 'R1' } };
  await bench.database.transaction((transaction) => lockJobs(transaction, [rerouted]));
  await createPayoutRecordStore(bench.database).seal({ merchantId: 'rerouting', payoutId: 'R2' });
  await exerciseReconciliation(bench);
  await exerciseRecovery(bench);
  await exerciseHistory(bench);
  await bench.close();
}

async function exerciseHistory({ database, ledger, clock }: PayoutBench): Promise<void> {
  const store = createClosingStore(database);
  clock.advance(2 * HOUR_MS);
  const parts = {
    store,
    clock: { ...clock, sleep: async () => {} },
    clockDifference: async () => 0,
    statementLimitMs: 0,
  };
  const until = await closeHours(parts, new AbortController().signal);
  await ledger.balancesAt('rerouting', until - 1);
  await ledger.balanceHistory('rerouting', [until]);
  await ledger.trialBalance(until - 1);
  await ledger.journal('rerouting', 'payout/P7/reserve');
  const statements = createStatementStore(database);
  const order = { merchantId: 'rerouting', currency: 'EUR', from: until - 24 * HOUR_MS, until } as const;
  await statements.activeHours(order);
  await statements.postings({ ...order, from: until - HOUR_MS }, null, 10);
  const keys = createStatementKeyStore(database);
  const sealed = { masterKeyId: 'x', wrappedKey: Buffer.alloc(1), ciphertext: Buffer.alloc(1) };
  for (const onlyFirst of [true, false])
    await keys.add({ keyId: `S${onlyFirst}`, publicKey: `${onlyFirst}`, createdAt: until }, sealed, onlyFirst);
  await keys.keys();
  await keys.sealed('Strue');
  const volumes = createVolumeStore(database);
  for (const merchantId of ['rerouting', null]) {
    await volumes.volumes({ merchantId, from: until - 24 * HOUR_MS, until, grain: 'day' }, 10);
    await volumes.closedUntil(merchantId);
    await volumes.waits('payout', 'adyen', until - 14 * 24 * HOUR_MS);
  }
}

async function exerciseApprovals(): Promise<void> {
  const bench = await openPayoutBench();
  await bench.fund('m', 100n);
  await acceptWaiting(bench, 'waits');
  const queue = createApprovalStore(bench.database);
  for (const merchantId of [null, 'm']) await queue.awaiting({ merchantId, after: null, limit: 50 });
  const { approve, lapse } = approvalCommands(bench);
  assert((await approve('waits')).ok);
  await lapse();
  await bench.database.transaction(async (transaction) => {
    const postings = watchPostings(transaction);
    await postings.watch([JSON.stringify([{ merchant_id: 'm', journal_id: 'rehearsed' }])]);
    await postings.posted();
  });
  await bench.verifyAndClose();
}

async function exerciseReconciliation({ database, clock }: PayoutBench): Promise<void> {
  const at = clock.now();
  const store = createReconciliationStore(database);
  await store.findKnown('second_rail', ['no-reference']);
  await store.findPayouts([{ merchantId: 'm', payoutId: 'none' }]);
  await store.findByTransactionIds([1]);
  await store.countWaiting('second_rail');
  await store.paidBetween('second_rail', at - DAY_MS, at + 1);
  for await (const _ended of store.endedBetween('second_rail', at - DAY_MS, at + 1)) break;
  const day = { rail: 'second_rail', day: '2026-11-20' };
  const nobody = { merchantId: null, payoutId: null, transactionId: null, ours: '', theirs: '' };
  const found = { kind: 'missing_here', subject: 'X', ...nobody } as const;
  await store.keep({ ...day, runAt: at, listed: 0, matched: 0, settled: 0 }, [found], ['Y']);
  await store.listDays({ rail: day.rail, from: day.day, until: day.day });
  const nobodys = { merchantId: null, payoutId: null, ours: 'unknown' };
  await store.recordUnmatched({ ...day, ...nobodys, subject: 'Z', theirs: 'executed', by: 'notified', at });
  const differences = createDifferenceStore(database);
  await differences.report({ ...found, kind: 'unknown_reference', rail: 'second_rail', foundAt: at });
  await differences.list({ rail: null, day: null, kind: null, openOnly: true });
  await differences.find({ ...day, kind: 'missing_here', subject: 'X' });
  await differences.countOpen();
  await differences.resolve({ ...day, kind: 'missing_here', subject: 'X' }, 'Ann', 'looked at', at);
  const health = createRailHealthStore(database);
  const rails = [{ rail: 'second_rail', breaker: 'closed', inFlight: 0 }] as const;
  const process = 'a process';
  for (const before of [[], [{ rail: 'second_rail', at }]])
    await health.report({ process, reported: before }, rails, at);
  await health.mark(process, 'second_rail', at);
  const lineages = createLineageStore(database);
  await lineages.confirm({ lineage: '7/00000001', at, by: 'Ann', reason: 'a planned failover' });
  await lineages.read();
  await health.health(at);
  await health.recordFloats('second_rail', [{ currency: 'UAH', minor: 1n }], at);
  await health.setFloatThreshold('second_rail', 'UAH', 2n);
  await health.floats();
}

const FROM_CARD = {
  originator: { name: 'Ana', account: '4539578763621486', institution: '40012', concept: '', trackingKey: 'C' },
};

async function exerciseRecovery({ database, clock }: PayoutBench): Promise<void> {
  const at = clock.now();
  const store = createRecoveryStore(database);
  await store.examine();
  await store.skipNumbers({ transactionIds: 1, addresses: 1 });
  await store.begin({ startedAt: at, knownUntil: at, startedBy: 'Ann', reason: 'for the test' });
  await store.latest();
  await store.unasked(at, at);
  await store.reportedRails();
  await store.recordComparison(at, 'second_rail', at);
  await store.unaccounted([{ rail: 'second_rail', reference: 'X' }]);
  await store.countUnaccounted();
  await store.account('second_rail', ['X']);
  await store.release(
    { merchantId: 'rerouting', payoutId: 'R1' },
    [{ rail: 'third_rail', reference: 'Y' }],
    { by: 'Ann', evidence: 'a letter' },
    at,
  );
  await store.completeRail(at, 'second_rail', { at, by: 'Ann', forcedBecause: null, asksUntil: null });
  await store.complete(at, 'Ann', at);
}

async function exercisePeople(): Promise<void> {
  const { database, close } = await openPayoutBench();
  const acts = createActStore(database);
  const key = { caller: 'token:T1', key: 'once' };
  const actor = { kind: 'token', id: 'T1', name: 'x' } as const;
  const said = {
    act: 'funds.credit',
    object: 'merchants/M1',
    address: null,
    requestId: 'R1',
    reason: null,
    detail: '{}',
  };
  const entry = { merchantId: 'M1', at: 1, actId: 'A1', phase: 'begun', actor, ...said } as const;
  const requestHash = Buffer.alloc(32);
  for (const deadBefore of [0, FAR]) await acts.begin({ key, requestHash, entry, deadBefore });
  await acts.end({ key, entry: { ...entry, phase: 'done' }, answered: { status: 200, answer: '{}' } });
  const all = { merchantId: null, act: null, object: null, actor: null, from: null, to: null, before: null, limit: 50 };
  for (const filter of [{}, { merchantId: 'M1' }, { act: said.act }]) await acts.list({ ...all, ...filter });
  for (const filter of [{ object: said.object }, { actor: actor.id, to: FAR }]) await acts.list({ ...all, ...filter });
  await acts.list({ ...all, before: { at: FAR, merchantId: 'M1', number: 1 } });
  await acts.end({ key, entry: { ...entry, phase: 'rejected' }, answered: 'released' });
  await acts.forgetAnswers(FAR, 10);
  await acts.heads();
  await acts.joined('M1');
  await exerciseRequestLog(database);
  await exerciseSignIn(database);
  await exerciseProposals(database);
  await exerciseBatches(database);
  await close();
}

async function exerciseDeposits(): Promise<void> {
  const bench = await openDepositBench();
  bench.merchant(OPERATOR_MERCHANT);
  const merchant = bench.merchant('deposits');
  const receive = bench.receiverOver(bench.store);
  const paid = await bench.opened(merchant, 'N1');
  const received = bench.transferTo(paid.payTo, 10_000n);
  await receive(received, 'notification');
  await createSearchStore(bench.database).find([received.rail], received.transferKey);
  const short = await bench.opened(merchant, 'N2');
  const shortTransfer = bench.transferTo(short.payTo, 4_000n, FROM_CARD);
  await receive(shortTransfer, 'notification');
  await receive(shortTransfer, 'reconciliation');
  await bench.resolve(shortTransfer);
  const stray = bench.transferTo('999999999999999999', 4_000n);
  await receive(stray, 'notification');
  await bench.resolve(stray, { merchantId: merchant.merchantId, orderId: 'N1' });
  const strayToo = bench.transferTo('999999999999999999', 5_000n, FROM_CARD);
  await receive(strayToo, 'notification');
  await bench.returnTransfer(strayToo);
  await bench.open(merchant, 'N1');
  await bench.store.findOverdue(FAR, 0, 10);
  await bench.store.addressesUsed();
  const full = { capacity: 0, addressOf: () => '' };
  await bench.store.allocateAddress(full, 'deposits', bench.clock.now());
  await bench.store.releaseAddress('000000000000000001');
  await bench.stateOf(paid);
  await bench.records.held(10);
  await exerciseSchedule(bench);
  await bench.close();
}

/** Runs the work of the worker and the schedule. */
async function exerciseSchedule({ database, clock }: Awaited<ReturnType<typeof openDepositBench>>): Promise<void> {
  const signal = new AbortController().signal;
  const vault = createVaultStore(database);
  await createMerchantStore(database).revisions(['M1', 'M2']);
  await createProcessStore(database).withoutMasterKey('key-2', clock.now());
  await destroyExpiredRecords({ vaultStore: vault, clock }, signal);
  await destroyOldSessions({ payments: createPaymentStore(database, clock), clock }, signal);
  for (const table of ['vault_records', 'merchant_keys', 'vault_keys'] as const) {
    await vault.countUnderOtherKeys(table, 'key-2');
    const rows = await vault.listUnderOtherKeys(table, 'key-2', undefined, 500);
    await vault.replaceWrappings(
      table,
      rows.map((row) => ({ ...row, formerKeyId: row.sealed.masterKeyId })),
    );
  }
  await vault.masterKeyIds();
  await vault.retireMasterKeys(['key-1', 'key-2'], 'key-2', clock.now());
  await vault.findRetirement('key-1');
  await readLoginRights(database);
  await readServerSettings(database);
  await createMerchantStore(database).revisions(['deposits']);
  const conformance = createConformanceStore(database);
  const run = { recordedAt: clock.now(), address: 'http://shop', passed: 1, examined: 1, isPassed: true, findings: [] };
  await conformance.record('deposits', run);
  await conformance.find('deposits');
  await vault.find('deposits', 'no token');
  const banks = createBankListStore(database);
  await banks.keep('a_rail', { banks: [], listedAt: clock.now() });
  await banks.find('a_rail');
  await readQueueStatistics(database, clock.now());
  const rails = [{ rail: 'a_rail', decidesWithinMs: 1_000 }];
  await createOverdueStore(database).count(clock.now(), { payments: rails, payouts: rails });
  await readClockDifference(database, clock);
  await createExclusiveWork(database)('a task', async () => {});
  const queue = createLaneStore(database, systemClock);
  await queue.claim({ now: FAR, leaseUntil: FAR, lanes: 10, callbacks: 10 });
  await queue.due('deposits', 0, FAR, 10);
  await queue.drain();
}
