/** The schedule: the periodic tasks of a gateway, as a table. Only one process at a time runs a task. */
import { forgetAnswers } from '../../domain/audit/forget-answers.ts';
import { destroyOldSessions } from '../../domain/payments/sessions/destroy-old-sessions.ts';
import { forgetSignIns } from '../../domain/people/sign-in/forget-sign-ins.ts';
import { forgetRequests } from '../../domain/requests/forget-requests.ts';
import { destroyExpiredRecords } from '../../domain/vault/destroy-expired-records.ts';
import { HOUR_MS, MINUTE_MS } from '../../foundation/clock.ts';
import { createProofStore } from '../../storage/backup/proof-store.ts';
import { createExclusiveWork } from '../../storage/core/commits/exclusive-work.ts';
import { verifyContinuously } from '../../storage/invariants/verify-continuously.ts';
import { createPeriodicWork, type PeriodicWork } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import { createPeopleParts } from './create-people.ts';
import type { Publishing } from './create-publishing.ts';
import type { GatewayCore } from './gateway-core.ts';
import { approvalTasks } from './tasks/approval-tasks.ts';
import { depositTasks } from './tasks/deposit-tasks.ts';
import { ledgerTasks } from './tasks/ledger-tasks.ts';
import { overdueTasks } from './tasks/overdue-tasks.ts';
import { floatTasks, preparationTasks } from './tasks/rail-tasks.ts';
import { receiptTasks } from './tasks/receipt-tasks.ts';
import { reconciliationTasks } from './tasks/reconciliation-tasks.ts';
import { recoveryTasks } from './tasks/recovery-tasks.ts';
import { refundTasks } from './tasks/refund-tasks.ts';

export function createSchedule(
  core: GatewayCore,
  hooks: Hooks,
  publishing: Publishing,
  clockIsRight: () => Promise<boolean>,
): PeriodicWork {
  const { database, clock, random, requests, exchanges } = core;
  const { onProblem, onInvariantBroken } = hooks;
  return createPeriodicWork({
    tasks: [
      ...depositTasks(core, hooks, publishing),
      ...approvalTasks(core, publishing),
      ...refundTasks(core, publishing),
      ...receiptTasks(core, hooks),
      ...reconciliationTasks(core, hooks, publishing),
      ...recoveryTasks(core, hooks, publishing),
      ...floatTasks(core, hooks),
      ...overdueTasks(core, hooks),
      {
        name: 'check the newest proof of a backup',
        everyMs: 10 * MINUTE_MS,
        run: () => lookAtProof(core, hooks),
      },
      ...ledgerTasks(core),
      ...preparationTasks(core),
      {
        name: 'destroy card data past its retention',
        everyMs: HOUR_MS,
        run: (signal) => destroyExpiredRecords(core, signal),
      },
      {
        name: 'destroy payer data past its retention',
        everyMs: HOUR_MS,
        run: (signal) => destroyOldSessions(core, signal),
      },
      {
        name: 'delete the responses of actions past their retention',
        everyMs: HOUR_MS,
        run: (signal) => forgetAnswers(core, signal),
      },
      {
        name: 'delete logged requests and provider exchanges past their retention',
        everyMs: HOUR_MS,
        run: async (signal) => {
          await forgetRequests({ store: requests, clock }, signal);
          await forgetRequests({ store: exchanges, clock }, signal);
        },
      },
      {
        name: 'delete ended sessions and unused challenges',
        everyMs: HOUR_MS,
        run: (signal) => forgetSignIns(createPeopleParts(core, hooks), signal),
      },
      {
        name: 'verify the invariants',
        everyMs: 6 * HOUR_MS,
        // A starting process has more urgent work.
        afterMs: 10 * MINUTE_MS,
        run: (signal) =>
          verifyContinuously(database, { clock, random, signal, onBroken: ({ name }) => onInvariantBroken(name) }),
      },
    ],
    exclusively: createExclusiveWork(database),
    clock,
    clockIsRight,
    onProblem,
  });
}

/** An installation without any proof raises no alert, because other tools may back it up. `gateway doctor` reports it. */
async function lookAtProof({ database, clock }: GatewayCore, { onLatestProof }: Hooks): Promise<void> {
  const [latest] = await createProofStore(database).list(1);
  if (latest) onLatestProof(latest, clock.now());
}
