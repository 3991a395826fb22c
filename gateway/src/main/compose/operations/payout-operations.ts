/** The operations on payouts over an open core. */
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { FindPace } from '../../../domain/monitoring/pace.ts';
import { approvePayout } from '../../../domain/payouts/approval/approve-payout.ts';
import { cancelPayout } from '../../../domain/payouts/cancel-payout.ts';
import { findExplainedPayout } from '../../../domain/payouts/find-explained-payout.ts';
import { findPayoutObstacles } from '../../../domain/payouts/payout-obstacles.ts';
import { recordForgottenAttempt } from '../../../domain/payouts/record-forgotten-attempt.ts';
import { resolvePayout } from '../../../domain/payouts/resolve-payout.ts';
import { askPayout } from '../../../domain/reconciliation/ask-payout.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import type { Hooks } from '../../observability/hooks.ts';
import type { Publishing } from '../create-publishing.ts';
import type { RailView } from '../create-rail-view.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { createFindLatePayouts, overdueOperations } from './overdue-operations.ts';

export function payoutOperations(
  core: GatewayCore,
  hooks: Hooks,
  { settle }: Publishing,
  railView: RailView,
  pace: FindPace,
): GatewayOperations['payouts'] {
  const parts = { ...core, settle, rails: core.sendingRails };
  return {
    overdue: overdueOperations(core).payouts,
    late: createFindLatePayouts(core, railView, pace),
    find: withParts(findExplainedPayout, { ...parts, railNames: railView.names }),
    cancel: withParts(cancelPayout, parts),
    awaiting: core.approvals.awaiting,
    approve: withParts(approvePayout, parts),
    resolve: withParts(resolvePayout, {
      ...parts,
      recordForgottenAttempt: withParts(recordForgottenAttempt, parts),
    }),
    ask: withParts(askPayout, {
      ...parts,
      sendsUnsealed: core.config.unsealedPayouts === 'send',
      onRailCall: hooks.onRailCall,
    }),
    obstacles: withParts(findPayoutObstacles, parts),
  };
}
