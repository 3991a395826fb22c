/** The operations on deposits over an open core. */
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { refundDeposit } from '../../../domain/payments/adjustments/refund-deposit.ts';
import { endAttempts } from '../../../domain/payments/attempts/end-attempts.ts';
import { findDepositObstacles } from '../../../domain/payments/deposit-obstacles.ts';
import { findExplainedDeposit } from '../../../domain/payments/find-explained-deposit.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import type { Hooks } from '../../observability/hooks.ts';
import { createDecisions } from '../create-deposits.ts';
import { createPayments } from '../create-payments.ts';
import type { Publishing } from '../create-publishing.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { overdueOperations } from './overdue-operations.ts';

export function depositOperations(
  core: GatewayCore,
  hooks: Hooks,
  publishing: Publishing,
): GatewayOperations['deposits'] {
  return {
    find: withParts(findExplainedDeposit, { ...core, rails: core.rails.paymentRails }),
    held: core.depositRecords.held,
    overdue: overdueOperations(core).payments,
    ...createDecisions(core),
    refund: withParts(refundDeposit, {
      ...core,
      store: core.adjustments,
      nextTransactionId: core.payouts.nextTransactionId,
      rails: core.rails.paymentRails,
    }),
    endAttempts: withParts(endAttempts, {
      ...createPayments(core, hooks, publishing),
      depositRecords: core.depositRecords,
    }),
    obstacles: withParts(findDepositObstacles, { ...core, rails: core.rails.paymentRails }),
  };
}
