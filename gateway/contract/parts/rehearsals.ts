/** Dry runs: the effects that an action would have. */
import { type Static, Type } from 'typebox';
import { Amount, CurrencyCode, MerchantId, NO_QUERY, nullable, Problem } from './answer-parts.ts';

export const DRY_RUN = {
  dryRun: Type.Optional(
    Type.Boolean({
      description:
        'Return the effect that the action would have, without changing anything. A dry run needs neither Idempotency-Key nor Step-Up.',
    }),
  ),
};

export const DRY_RUN_QUERY = Type.Object({ ...NO_QUERY.properties, ...DRY_RUN }, { additionalProperties: false });

const Posting = Type.Object({
  merchantId: MerchantId,
  kind: Type.String({ description: 'The kind of posting, such as funding, reserve or payout' }),
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
  possible: Type.Boolean({ description: 'False if the gateway would reject the action with `problem`' }),
  problem: nullable(Type.Omit(Problem, ['requestId'])),
  postings: Type.Array(Posting),
  balances: Type.Array(BalanceAfter, {
    description: 'The balances after the postings, for each affected merchant and currency',
  }),
  change: nullable(
    Type.Object({ before: Type.Unknown(), after: Type.Unknown() }),
    'The rule or the payout that the action would change or create. Generated names and times in it are examples.',
  ),
});
export type Rehearsal = Static<typeof Rehearsal>;
