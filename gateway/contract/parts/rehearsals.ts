/** Dry runs: the effects that an action would have. */
import { type Static, Type } from 'typebox';
import { Amount, CurrencyCode, MerchantId, NO_QUERY, nullable, Problem } from './answer-parts.ts';

export const DRY_RUN = {
  dryRun: Type.Optional(
    Type.Boolean({
      description: 'Change nothing, and answer what the action would do. It needs no Idempotency-Key and no Step-Up.',
    }),
  ),
};

export const DRY_RUN_QUERY = Type.Object({ ...NO_QUERY.properties, ...DRY_RUN }, { additionalProperties: false });

const Posting = Type.Object({
  merchantId: MerchantId,
  kind: Type.String({ description: 'Such as funding, reserve or payout' }),
  debit: Type.String({ description: 'The account that the amount leaves' }),
  credit: Type.String({ description: 'The account that the amount enters' }),
  amount: Amount,
  currency: CurrencyCode,
});

const BalanceAfter = Type.Object({
  merchantId: MerchantId,
  currency: CurrencyCode,
  available: Amount,
  reserved: Amount,
  owed: Amount,
});

export const Rehearsal = Type.Object({
  possible: Type.Boolean({ description: 'False: the action would be rejected with `problem`' }),
  problem: nullable(Type.Omit(Problem, ['requestId'])),
  postings: Type.Array(Posting),
  balances: Type.Array(BalanceAfter, {
    description: 'The balances of the merchants and currencies of the postings, after them',
  }),
  change: nullable(
    Type.Object({ before: Type.Unknown(), after: Type.Unknown() }),
    'The change by an action that changes a rule or creates a payout. Generated names and times in it are examples.',
  ),
});
export type Rehearsal = Static<typeof Rehearsal>;
