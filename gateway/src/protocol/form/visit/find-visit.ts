/** Finds the payer's page by its token alone. The holder received the token from the merchant's redirect. */
import { hashOfToken, isToken } from '../../../domain/payments/form-session.ts';
import { invariant } from '../../../foundation/invariant.ts';
import type { FormParts, Visit } from '../form-parts.ts';
import type { PageChoice } from '../view/page-choice.ts';
import type { ViewFacts } from '../view/view-facts.ts';

/** Returns undefined if no such page exists. */
export async function findVisit(
  { payments, directory }: Pick<FormParts, 'payments' | 'directory'>,
  token: string,
): Promise<Visit | undefined> {
  if (!isToken(token)) return undefined;
  const record = await payments.store.findSession(hashOfToken(token));
  if (!record) return undefined;
  const found = await directory.find(record.session.merchantId);
  invariant(found, 'a form session of a merchant that does not exist');
  return { token, record, merchant: found.merchant };
}

export function factsOf(
  { payments, bankDirectory }: FormParts,
  { record, merchant }: Visit,
  choice: PageChoice,
): ViewFacts {
  return { record, merchant, rails: payments.rails, banks: bankDirectory.banks(), choice, now: payments.clock.now() };
}
