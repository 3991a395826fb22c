/** The handlers of every endpoint of the management API. */
import type { Endpoints } from '../../../../contract/endpoints.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { PeopleParts } from '../../../domain/people/people-parts.ts';
import type { RunInTransaction } from '../../../protocol/manage/acts/act-transaction.ts';
import type { HandlersOf } from '../../../protocol/manage/handler.ts';
import { auditHandlers } from '../../../protocol/manage/handlers/audit.ts';
import { batchHandlers } from '../../../protocol/manage/handlers/batches.ts';
import { callbackHandlers } from '../../../protocol/manage/handlers/callbacks.ts';
import { depositHandlers } from '../../../protocol/manage/handlers/deposits.ts';
import { eventHandlers } from '../../../protocol/manage/handlers/events.ts';
import { findHandlers } from '../../../protocol/manage/handlers/find.ts';
import { ledgerHandlers } from '../../../protocol/manage/handlers/ledger.ts';
import { listHandlers } from '../../../protocol/manage/handlers/lists.ts';
import { merchantHandlers } from '../../../protocol/manage/handlers/merchants.ts';
import { newPayoutHandlers } from '../../../protocol/manage/handlers/new-payouts.ts';
import { payoutHandlers } from '../../../protocol/manage/handlers/payouts.ts';
import { peopleHandlers } from '../../../protocol/manage/handlers/people.ts';
import { policyHandlers } from '../../../protocol/manage/handlers/policies.ts';
import { proposalHandlers } from '../../../protocol/manage/handlers/proposals.ts';
import { railHandlers } from '../../../protocol/manage/handlers/rails.ts';
import { reconciliationHandlers } from '../../../protocol/manage/handlers/reconciliation.ts';
import { recoveryHandlers } from '../../../protocol/manage/handlers/recovery.ts';
import { requestHandlers } from '../../../protocol/manage/handlers/requests.ts';
import { routeHandlers } from '../../../protocol/manage/handlers/routes.ts';
import { sessionHandlers } from '../../../protocol/manage/handlers/sessions.ts';
import { signInHandlers } from '../../../protocol/manage/handlers/sign-in.ts';
import { statementHandlers } from '../../../protocol/manage/handlers/statements.ts';
import { tokenHandlers } from '../../../protocol/manage/handlers/tokens.ts';
import { vaultHandlers } from '../../../protocol/manage/handlers/vault.ts';
import type { GatewayCore } from '../gateway-core.ts';

export function createHandlers(
  { clock }: Pick<GatewayCore, 'clock'>,
  operations: GatewayOperations,
  people: PeopleParts,
  runInTransaction: RunInTransaction,
): HandlersOf<Endpoints> {
  return {
    ...merchantHandlers(operations),
    ...ledgerHandlers(operations, clock.now),
    ...payoutHandlers(operations, clock.now),
    ...newPayoutHandlers(operations),
    ...batchHandlers(operations),
    ...depositHandlers(operations, clock.now),
    ...callbackHandlers(operations),
    ...listHandlers(operations),
    ...requestHandlers(operations, clock),
    ...findHandlers(operations),
    ...eventHandlers(operations),
    ...railHandlers(operations),
    ...routeHandlers(operations),
    ...reconciliationHandlers(operations),
    ...recoveryHandlers(operations),
    ...vaultHandlers(operations),
    ...statementHandlers(operations),
    ...policyHandlers(operations),
    ...proposalHandlers({ operations, people, runInTransaction }),
    ...tokenHandlers(operations),
    ...auditHandlers(operations),
    ...signInHandlers(people),
    ...sessionHandlers(people),
    ...peopleHandlers(people),
  };
}
