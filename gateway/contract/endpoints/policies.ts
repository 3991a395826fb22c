/** Policies: the rules that require a second person for an action. */
import { type Static, Type } from 'typebox';
import { Amount, CurrencyCode, MerchantId, NO_PARAMS, nullable, Reason } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN } from '../parts/rehearsals.ts';

const ActName = Type.String({
  pattern: '^[A-Za-z]{1,40}\\.[A-Za-z]{1,40}$',
  description: 'The name of an endpoint that accepts dryRun or can return 202',
  examples: ['funds.credit'],
});

export const Policy = Type.Object(
  {
    act: ActName,
    currency: nullable(CurrencyCode, 'The rule applies to actions that move this currency. Null for any action'),
    above: nullable(
      { ...Amount, description: 'The rule applies to an action whose postings in the currency exceed this sum' },
      'Null if the rule applies to any amount',
    ),
    merchantId: nullable(MerchantId, 'The merchant that the action concerns. Null for any merchant'),
  },
  { additionalProperties: false },
);
export type Policy = Static<typeof Policy>;

const Policies = Type.Object({ items: Type.Array(Policy) });

export const POLICY_TEAM = {
  merchantId: Type.Optional({
    ...MerchantId,
    description: 'The merchant of the team. By default the caller’s own team',
  }),
};

export const POLICY_ENDPOINTS = defineEndpoints({
  'policies.list': {
    method: 'GET',
    path: '/policies',
    summary: 'List the rules that require a second person; the ETag identifies the complete list',
    permission: 'policies:read',
    audience: 'own',
    params: NO_PARAMS,
    query: Type.Object(POLICY_TEAM, { additionalProperties: false }),
    answer: Policies,
  },
  'policies.set': {
    method: 'PUT',
    path: '/policies',
    summary: 'Replace the rules of the caller’s own team; a rule about policies.set applies to this action as well',
    permission: 'policies:write',
    audience: 'own',
    rehearsal: 'rule',
    stepUp: true,
    ifMatch: true,
    params: NO_PARAMS,
    query: Type.Object({ ...POLICY_TEAM, ...DRY_RUN }, { additionalProperties: false }),
    body: Type.Object(
      { items: Type.Array(Policy, { maxItems: 200 }), reason: Reason },
      { additionalProperties: false },
    ),
    answer: Policies,
  },
});
