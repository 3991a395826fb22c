/** New payouts: the methods, a check, and creation. No response or audit log entry contains a complete card number. */
import type { NEW_PAYOUT_ENDPOINTS } from '../../../../contract/endpoints/new-payouts.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { PayoutOrigin } from '../../../domain/payouts/accept-payout.ts';
import type { RequestFailure } from '../../../domain/payouts/create-payout.ts';
import type { PayoutMaker } from '../../../domain/payouts/payout-store.ts';
import { type FaultOfWhole, faultOfWhole, fieldFaultsOf } from '../../../domain/payouts/request-faults.ts';
import { type Caller, peopleBehind } from '../../../domain/people/caller.ts';
import { mailboxOf } from '../../../domain/people/person.ts';
import { needsSecondPerson } from '../../../domain/proposals/policy.ts';
import { isRecovering } from '../../../domain/recovery/recovery.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { fail, ok } from '../../../foundation/result.ts';
import { PAYOUT_METHODS } from '../../payout/method-table.ts';
import { boundCaller } from '../acts/two-people.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, NOT_FOUND, type ProblemCode } from '../problems.ts';
import { reasonsText, rowReasonText } from '../views/history-views.ts';
import { maskFor } from '../views/mask.ts';
import { viewPayout } from '../views/payout-view.ts';

const ACT = 'payouts.create';

/** The methods as a user or a program fills them in. */
const METHODS = PAYOUT_METHODS.map(({ number, name, currency, accountKind, fields }) => ({
  method: number,
  name,
  currency,
  accountKind,
  fields: fields.map(({ name, format, mandatory, secret, maxLength }) => ({
    name,
    format,
    mandatory,
    secret,
    maxLength,
  })),
}));

export function newPayoutHandlers({
  newPayouts,
  merchants,
  policies,
  recovery,
}: GatewayOperations): HandlersOf<typeof NEW_PAYOUT_ENDPOINTS> {
  return {
    async 'payouts.methods'({ params }) {
      return (await merchants.find(params.merchantId)) ? ok({ answer: { items: METHODS } }) : fail(NOT_FOUND);
    },
    async 'payouts.check'({ params: { merchantId }, body: { payoutId = 'new', method, fields }, caller }) {
      const origin = await originOf(policies, caller, merchantId);
      const checked = await newPayouts.check(merchantId, { payoutId, method, fields }, origin);
      const { failure, judged, availableAfter, possibleDuplicateOf } = checked;
      if (failure?.kind === 'merchant_not_found') return fail(NOT_FOUND);
      const { currency } = judged?.payout.money ?? { currency: null };
      const amount = (minor: bigint | undefined | null) =>
        currency === null || minor === undefined || minor === null ? null : formatAmount({ currency, minor });
      const faults = (failure ? fieldFaultsOf(failure) : []).map(({ field, reason }) => ({
        field,
        detail: rowReasonText(reason),
      }));
      const answer = {
        possible: failure === null,
        faults,
        currency,
        possibleDuplicateOf,
        problem: failure && faults.length === 0 ? rejectionProblem(failure).detail : null,
        rail: judged?.payout.rail ?? null,
        why: judged && reasonsText(judged.why),
        needsApproval: judged?.approval ? reasonsText([judged.approval.why]) : null,
        fee: amount(judged?.payout.fee),
        availableAfter: amount(availableAfter),
      };
      return ok({ answer });
    },
    async 'payouts.create'({ params: { merchantId }, body, caller, act }) {
      if (body.payoutId === undefined && (await mayHaveForgotten(recovery))) return fail(FORGOTTEN);
      const { payoutId = generatedId(act), method, fields } = body;
      const origin = await originOf(policies, caller, merchantId);
      const created = await newPayouts.create(merchantId, { payoutId, method, fields }, origin);
      if (!created.ok) return fail(rejectionProblem(created.error));
      const { payout, isAwaiting } = created.value;
      const answer = { ...viewPayout(payout, maskFor(caller)), isAwaitingApproval: isAwaiting };
      const change = { before: null, after: answer };
      return ok({ answer, change, hasSecret: false, created: `merchants/${merchantId}/payouts/${payout.payoutId}` });
    },
  };
}

/** A restored gateway would give a payout that it lost a new id, so that a bank would pay it twice. */
export async function mayHaveForgotten({ latest, lineage }: GatewayOperations['recovery']): Promise<boolean> {
  return !(await lineage()).isKnown || isRecovering(await latest());
}

const FORGOTTEN: ManageProblem = {
  code: 'rejected',
  field: '/payoutId',
  detail:
    'The gateway is recovering from a restore and may have lost this payout. Pass its original payoutId, or wait until the recovery is complete.',
};

/**
 * The id is the same for every repeat of the action, so that it creates one payout. Its letters distinguish it from a card
 * number.
 */
function generatedId(act: string): string {
  return `new-${act.slice(0, 24)}`;
}

/** The policies of the maker's own team decide. Someone with a shell on the server needs no second person. */
async function originOf(
  policies: GatewayOperations['policies'],
  caller: Caller,
  merchantId: string,
): Promise<PayoutOrigin> {
  const isEmergency = caller.actor.kind === 'emergency';
  const rules = isEmergency ? [] : await policies.binding(ACT, boundCaller(caller));
  return {
    maker: makerOf(caller),
    needsSecondPerson: (posted) => needsSecondPerson(rules, { merchants: [merchantId], posted }),
  };
}

export function makerOf(caller: Caller): PayoutMaker {
  const { actor } = caller;
  return { actor, people: peopleBehind(caller), mailbox: actor.kind === 'person' ? mailboxOf(actor.name) : '' };
}

/** Returns the JSON pointer of an API field in the body. */
function pointerTo(field: string): string {
  if (field === 'payout_id') return '/payoutId';
  return field === 'method' ? '/method' : `/fields/${field}`;
}

function rejectionProblem(failure: RequestFailure): ManageProblem {
  const [fault] = fieldFaultsOf(failure);
  if (fault) return { code: 'invalid-request', field: pointerTo(fault.field), detail: rowReasonText(fault.reason) };
  if (failure.kind === 'merchant_not_found') return NOT_FOUND;
  const kind = faultOfWhole(failure);
  const [code, field] = REJECTIONS[kind];
  return { code, detail: rowReasonText([kind]), ...(field === undefined ? {} : { field }) };
}

const REJECTIONS: Readonly<Record<FaultOfWhole, readonly [ProblemCode, field?: string]>> = {
  merchant_disabled: ['rejected'],
  currency_not_supported: ['invalid-request', '/fields/currency'],
  amount_out_of_limits: ['rejected', '/fields/amount'],
  insufficient_funds: ['insufficient-funds'],
  method_unavailable: ['rejected', '/method'],
  payout_id_already_used: ['already-exists', '/payoutId'],
};
