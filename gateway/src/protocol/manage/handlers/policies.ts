/** Policies: the rules that define which actions need a second person. */

import type { POLICY_ENDPOINTS, Policy as PolicyView } from '../../../../contract/endpoints/policies.ts';
import { ENDPOINTS, type EndpointName } from '../../../../contract/endpoints.ts';
import { canBeBound, type Endpoint } from '../../../../contract/parts/endpoint.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { OPERATOR_MERCHANT } from '../../../domain/merchants/merchant.ts';
import { type Policy, policiesVersion } from '../../../domain/proposals/policy.ts';
import { isCurrency } from '../../../foundation/currency.ts';
import { formatAmount, parseAmount } from '../../../foundation/money.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { teamOf } from '../acts/two-people.ts';
import type { HandlersOf } from '../handler.ts';
import type { ManageProblem } from '../problems.ts';

export function policyHandlers({ policies }: Pick<GatewayOperations, 'policies'>): HandlersOf<typeof POLICY_ENDPOINTS> {
  return {
    async 'policies.list'({ query: { merchantId }, caller }) {
      const found = await policies.list(merchantId ?? teamOf(caller));
      return ok({ answer: { items: found.map(viewPolicy) }, entityTag: policiesVersion(found) });
    },
    async 'policies.set'({ query: { merchantId }, body, ifMatch, caller }) {
      const team = teamOf(caller);
      if (merchantId !== undefined && merchantId !== caller.merchantId) return fail(NOT_OWN);
      if (ifMatch === null) return fail(NO_VERSION);
      const wanted: Policy[] = [];
      for (const [index, item] of body.items.entries()) {
        const read = readPolicy(item, team);
        if (!read.ok) return fail({ ...read.error, field: `/items/${index}${read.error.field ?? ''}` });
        wanted.push(read.value);
      }
      const before = await policies.list(team);
      const isCurrent = (current: readonly Policy[]) => policiesVersion(current) === ifMatch;
      if (!(await policies.replace(team, wanted, isCurrent))) return fail(CHANGED);
      const answer = { items: wanted.map(viewPolicy) };
      const change = { before: { items: before.map(viewPolicy) }, after: answer };
      return ok({ answer, entityTag: policiesVersion(wanted), change });
    },
  };
}

/** The problem’s field is below the rule. */
function readPolicy({ act, currency, above, merchantId }: PolicyView, team: string): Result<Policy, ManageProblem> {
  const endpoint: Endpoint | undefined = Object.hasOwn(ENDPOINTS, act) ? ENDPOINTS[act as EndpointName] : undefined;
  const invalid = (field: string, detail: string) => fail({ code: 'invalid-request', field, detail } as const);
  if (!endpoint || !canBeBound(endpoint)) return invalid('/act', 'act: a rule cannot name this action.');
  if (team !== OPERATOR_MERCHANT && merchantId !== null && merchantId !== team)
    return invalid('/merchantId', 'merchantId: a merchant’s rule can name only this merchant.');
  if (currency === null)
    return above === null
      ? ok({ act, currency, above: null, merchantId })
      : invalid('/currency', 'currency is missing: an amount needs a currency.');
  if (endpoint.rehearsal !== 'money') return invalid('/currency', 'currency: this action does not move money.');
  if (!isCurrency(currency)) return invalid('/currency', `currency ${currency} is not supported.`);
  if (above === null) return ok({ act, currency, above, merchantId });
  const minor = parseAmount(above, currency)?.minor;
  return minor === undefined
    ? invalid('/above', `above must be an amount above zero, with the decimals of ${currency}.`)
    : ok({ act, currency, above: minor, merchantId });
}

function viewPolicy({ act, currency, above, merchantId }: Policy): PolicyView {
  const amount = currency === null || above === null ? null : formatAmount({ currency, minor: above });
  return { act, currency, above: amount, merchantId };
}

const NOT_OWN: ManageProblem = {
  code: 'rejected',
  field: 'merchantId',
  detail: 'Only merchant users and their tokens can change the merchant’s rules.',
};

const NO_VERSION: ManageProblem = {
  code: 'if-match-missing',
  detail: 'Read the rules, and send their ETag as If-Match, so that no other change is lost.',
};

const CHANGED: ManageProblem = {
  code: 'changed-meanwhile',
  detail: 'Read the rules again, and repeat the change with their new ETag.',
};
