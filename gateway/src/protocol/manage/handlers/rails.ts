/** Pauses of payouts, and the differences between providers and the ledger. */
import type { Difference as DifferenceView, RAIL_ENDPOINTS } from '../../../../contract/rails.ts';
import { DIFFERENCE_KINDS, type DifferenceKind, type KeptDifference } from '../../../domain/differences/difference.ts';
import type { GatewayOperations } from '../../../domain/management/gateway-operations.ts';
import { PAYOUT_PURPOSES } from '../../../domain/methods/payout-purpose.ts';
import type { PauseScope } from '../../../domain/routing/pauses.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, wordsProblem } from '../problems.ts';
import { instantText } from '../views.ts';

export function railHandlers(operations: GatewayOperations): HandlersOf<typeof RAIL_ENDPOINTS> {
  const { pauses, differences } = operations;
  return {
    async 'pauses.list'() {
      const items = (await pauses.list()).map(({ since, ...pause }) => ({ ...pause, since: instantText(since) }));
      return ok({ answer: { items } });
    },
    async 'pauses.pause'({ params: { scope, target }, body }) {
      if (!(await isPausable(operations, scope, target)))
        return fail({ code: 'not-found', field: 'target', detail: `There is no ${scope} "${target}".` });
      const paused = await pauses.pause(scope, target, body.reason);
      return ok({ answer: { paused }, change: { before: { paused: !paused }, after: { paused: true } } });
    },
    async 'pauses.resume'({ params: { scope, target } }) {
      const resumed = await pauses.resume(scope, target);
      if (resumed === undefined) return fail({ code: 'not-found', detail: `The ${scope} "${target}" is not paused.` });
      return ok({ answer: { resumed }, change: { before: { paused: true }, after: { paused: false } } });
    },
    async 'differences.list'({ query }) {
      const { rail = null, day = null, kind = null, all = false } = query;
      if (kind !== null && !isKind(kind)) return fail(kindProblem());
      const found = await differences.list({ rail, day, kind, openOnly: !all });
      return ok({ answer: { items: found.map(viewDifference) } });
    },
    async 'differences.show'({ params: { kind, ...key } }) {
      const found = isKind(kind) ? await differences.find({ ...key, kind }) : undefined;
      return found ? ok({ answer: viewDifference(found) }) : fail(NO_DIFFERENCE);
    },
    async 'differences.resolve'({ params: { kind, ...key }, body, caller }) {
      if (!isKind(kind)) return fail(NO_DIFFERENCE);
      const resolved = await differences.resolve({ ...key, kind }, caller.actor.name, body.reason);
      if (resolved.ok) return ok({ answer: { resolved: true }, change: { before: null, after: { resolved: true } } });
      return fail(resolved.error === 'no_open_difference' ? NO_DIFFERENCE : wordsProblem(resolved.error));
    },
  };
}

const NO_DIFFERENCE: ManageProblem = { code: 'not-found', detail: 'There is no such open difference.' };

function isKind(kind: string): kind is DifferenceKind {
  return (DIFFERENCE_KINDS as readonly string[]).includes(kind);
}

function kindProblem(): ManageProblem {
  return { code: 'invalid-request', field: 'kind', detail: `kind must be one of ${DIFFERENCE_KINDS.join(', ')}.` };
}

/** A pause of something that does not exist would stop nothing, and nobody would notice. */
async function isPausable(operations: GatewayOperations, scope: PauseScope, target: string): Promise<boolean> {
  switch (scope) {
    case 'merchant':
      return (await operations.merchants.find(target)) !== undefined;
    case 'method':
      return operations.currencyOf(Number(target)) !== undefined;
    case 'purpose':
      return (PAYOUT_PURPOSES as readonly string[]).includes(target);
    default:
      return operations.rails.list.some(({ name }) => name === target);
  }
}

function viewDifference({ foundAt, resolved, ...difference }: KeptDifference): DifferenceView {
  return {
    ...difference,
    foundAt: instantText(foundAt),
    resolved: resolved && { ...resolved, at: instantText(resolved.at) },
  };
}
