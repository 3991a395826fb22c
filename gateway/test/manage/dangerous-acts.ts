/**
 * The dangerous actions: which roles of the operator and of a merchant may perform each. Written by hand, independently of the
 * roles table.
 */
import type { EndpointName } from '../../contract/endpoints.ts';
import type { MerchantRole, OperatorRole } from '../../contract/permissions.ts';

const NO_MERCHANT: readonly MerchantRole[] = [];
const RUN: readonly OperatorRole[] = ['administrator', 'operations'];

export const DANGEROUS: Partial<Record<EndpointName, readonly [readonly OperatorRole[], readonly MerchantRole[]]>> = {
  'funds.credit': [['administrator', 'treasury'], NO_MERCHANT],
  'funds.debit': [['administrator', 'treasury'], NO_MERCHANT],
  'payouts.approve': [
    ['administrator', 'approver'],
    ['owner', 'approver'],
  ],
  'payouts.create': [['administrator'], ['owner', 'finance']],
  'batches.submit': [['administrator'], ['owner', 'finance']],
  // An approver may cancel only a payout that waits for approval.
  'payouts.cancel': [
    [...RUN, 'approver'],
    ['owner', 'finance', 'approver'],
  ],
  'payouts.resolve': [RUN, NO_MERCHANT],
  'payouts.ask': [RUN, NO_MERCHANT],
  'deposits.refund': [RUN, ['owner', 'finance']],
  'deposits.endAttempts': [RUN, NO_MERCHANT],
  'transfers.resolve': [RUN, NO_MERCHANT],
  'transfers.return': [RUN, NO_MERCHANT],
  'merchants.create': [['administrator', 'risk'], NO_MERCHANT],
  'merchants.suspend': [['administrator', 'risk'], NO_MERCHANT],
  'merchants.edit': [['administrator', 'risk'], ['owner']],
  'keys.rotate': [['administrator'], ['owner', 'developer']],
  'routes.set': [['administrator', 'operations', 'risk'], NO_MERCHANT],
  'routes.remove': [['administrator', 'operations', 'risk'], NO_MERCHANT],
  'pauses.resume': [['administrator', 'operations', 'risk'], NO_MERCHANT],
  'differences.resolve': [['administrator', 'operations', 'treasury'], NO_MERCHANT],
  'recovery.begin': [RUN, NO_MERCHANT],
  'recovery.complete': [RUN, NO_MERCHANT],
  'recovery.release': [RUN, NO_MERCHANT],
  'vault.rotate': [['administrator'], NO_MERCHANT],
  'statementKeys.rotate': [['administrator'], NO_MERCHANT],
  'tokens.create': [['administrator'], ['owner', 'developer']],
  'tokens.revoke': [['administrator'], ['owner', 'developer']],
  'people.setRole': [['administrator'], ['owner']],
  'people.remove': [['administrator'], ['owner']],
  'people.reset': [['administrator'], NO_MERCHANT],
  'people.approveReset': [['administrator'], NO_MERCHANT],
  'invitations.create': [['administrator'], ['owner']],
};
