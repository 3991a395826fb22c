/** The recovery after a restore from a backup. */
import type {
  RailProgress as ProgressView,
  RECOVERY_ENDPOINTS,
  Recovery as RecoveryView,
} from '../../../../contract/endpoints/recovery.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { type BeginRecoveryFailure, SKIPPED_NUMBERS } from '../../../domain/recovery/begin-recovery.ts';
import type { CompletionFailure } from '../../../domain/recovery/complete-recovery.ts';
import type { RailProgress } from '../../../domain/recovery/rail-progress.ts';
import { isRecovering } from '../../../domain/recovery/recovery.ts';
import type { ReleaseFailure } from '../../../domain/recovery/release-after-restore.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, notFound, wordsProblem } from '../problems.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';

export function recoveryHandlers({ recovery }: GatewayOperations): HandlersOf<typeof RECOVERY_ENDPOINTS> {
  return {
    async 'recovery.show'() {
      return ok({ answer: await viewRecovery(recovery) });
    },
    async 'recovery.begin'({ body, caller }) {
      const { reason, knownUntil, skipClabes: addresses = SKIPPED_NUMBERS.addresses } = body;
      const begun = await recovery.begin({
        by: caller.actor.name,
        reason,
        skip: { ...SKIPPED_NUMBERS, addresses },
        knownUntil: knownUntil === undefined ? null : Date.parse(knownUntil),
      });
      if (!begun.ok) return fail(recoveryProblem(begun.error));
      const answer = {
        startedAt: instantText(begun.value.startedAt),
        knownUntil: instantText(begun.value.knownUntil),
      };
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'recovery.compare'() {
      await recovery.compare(new AbortController().signal);
      const answer = await viewRecovery(recovery);
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'recovery.complete'({ body, caller }) {
      const order = { rail: body.rail ?? null, by: caller.actor.name, forcedBecause: body.force?.reason ?? null };
      const completed = await recovery.complete(order);
      if (!completed.ok) return fail(recoveryProblem(completed.error));
      const answer = { rails: [...completed.value.rails], recovering: !completed.value.isOver };
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'recovery.release'({ params, body, caller }) {
      const released = await recovery.release(params, { by: caller.actor.name, evidence: body.reason });
      if (!released.ok) return fail(recoveryProblem(released.error));
      return ok({ answer: { released: true }, change: { before: null, after: { released: true } } });
    },
    async 'recovery.notNeeded'({ body, caller }) {
      const confirmed = await recovery.notNeeded({ by: caller.actor.name, reason: body.reason });
      if (!confirmed.ok) return fail(recoveryProblem(confirmed.error));
      const answer = { confirmed: confirmed.value === 'confirmed' };
      return ok({ answer, change: { before: null, after: answer } });
    },
  };
}

async function viewRecovery(recovery: GatewayOperations['recovery']): Promise<RecoveryView> {
  const { isKnown: lineageKnown } = await recovery.lineage();
  const latest = await recovery.latest();
  if (!latest) return { recovering: false, lineageKnown, latest: null, rails: [] };
  const { startedAt, knownUntil, startedBy, reason, completed } = latest;
  return {
    recovering: isRecovering(latest),
    lineageKnown,
    latest: {
      startedBy,
      reason,
      startedAt: instantText(startedAt),
      knownUntil: instantText(knownUntil),
      completedAt: instantTextOrNull(completed?.at ?? null),
    },
    rails: (await recovery.progress()).map(viewProgress),
  };
}

function viewProgress({ comparedAt, completed, missing, ...progress }: RailProgress): ProgressView {
  return {
    ...progress,
    missing: [...missing],
    comparedAt: instantTextOrNull(comparedAt),
    completed: completed && {
      ...completed,
      at: instantText(completed.at),
      asksUntil: instantTextOrNull(completed.asksUntil),
    },
  };
}

function recoveryProblem(failure: BeginRecoveryFailure | CompletionFailure | ReleaseFailure): ManageProblem {
  switch (failure.kind) {
    case 'database_replays':
      return { code: 'rejected', detail: 'PostgreSQL is still replaying its WAL. Promote it, then repeat the action.' };
    case 'clock_is_off':
      return {
        code: 'rejected',
        detail: 'The clocks of this machine and the database differ. Synchronise them, then repeat the action.',
      };
    case 'known_until_in_future':
      return { code: 'invalid-request', field: '/knownUntil', detail: 'knownUntil must not be in the future.' };
    case 'not_recovering':
      return { code: 'rejected', detail: 'The gateway is not recovering.' };
    case 'no_such_rail':
      return notFound(`No rail has this name. Rails: ${failure.rails.join(', ')}.`, '/rail');
    case 'criteria_not_met': {
      const lines = failure.progress.map(({ rail, missing }) => `- ${rail}: ${missing.join('; ')}`);
      return {
        code: 'rejected',
        field: '/force',
        detail: ['The recovery is not completed. Wait, or force it with a reason:', ...lines].join('\n'),
      };
    }
    case 'nothing_to_release':
      return notFound('The merchant has no unsent payout with this id. "gateway payout list" lists the payouts.');
    case 'bank_has_it':
      return {
        code: 'rejected',
        detail: `Rail ${failure.rail} reports that the bank received this payout. A worker will record its outcome. To record it now, run "gateway payout resolve".`,
      };
    default:
      return wordsProblem(failure);
  }
}
