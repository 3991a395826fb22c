/** Policies: the rules that define which actions need a second person. */
import { createHash } from 'node:crypto';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { PostedTransfer } from '../ledger/transfer.ts';

export interface Policy {
  /** The name of the endpoint that performs the action. */
  readonly act: string;
  /** Null if the policy binds the action for any amount. */
  readonly currency: Currency | null;
  /** The threshold in minor units. Null means any amount of the currency. */
  readonly above: bigint | null;
  /** Null if the policy binds actions on every merchant. */
  readonly merchantId: MerchantId | null;
}

/** Returns a version that changes with the policies. */
export function policiesVersion(policies: readonly Policy[]): string {
  const rows = policies.map(({ act, currency, above, merchantId }) => [act, currency, above?.toString(), merchantId]);
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64url').slice(0, 22);
}

interface JudgedAct {
  /** The merchants in the request. */
  readonly merchants: readonly MerchantId[];
  /** Empty for an action that moves no money. */
  readonly posted: readonly PostedTransfer[];
}

/**
 * Returns the first of the given policies that binds this action. An amount is the sum of all postings in its currency. An
 * action that names no merchant concerns every merchant.
 */
export function bindingRule<Rule extends Policy>(
  policies: readonly Rule[],
  { merchants, posted }: JudgedAct,
): Rule | undefined {
  return policies.find(({ currency, above, merchantId }) => {
    const concerned = [...merchants, ...posted.map((transfer) => transfer.merchantId)];
    if (merchantId !== null && concerned.length > 0 && !concerned.includes(merchantId)) return false;
    if (currency === null) return true;
    const moved = posted
      .filter((transfer) => transfer.currency === currency)
      .reduce((sum, { amount }) => sum + amount, 0n);
    return moved > (above ?? 0n);
  });
}

/** True if one of the given policies binds this action. */
export function needsSecondPerson(policies: readonly Policy[], act: JudgedAct): boolean {
  return bindingRule(policies, act) !== undefined;
}
