/** Builds the domain's view of an acting payer, from the merchant's parameters, the payer's input and the request. */

import type { SubmittedPayment } from '../../../domain/payments/pay.ts';
import type { PayerBrowser, PaymentPayer } from '../../../domain/payments/payment-rail.ts';
import { parseAddress } from '../../../foundation/networks.ts';
import { withLanguage } from '../form-pages.ts';
import { FORM_PATH, type FormParts, type Visit } from '../form-parts.ts';
import type { DetailField } from '../pages/page-view.ts';
import { statedPayer } from '../request/form-fields.ts';
import { returnSecret } from '../view/form-secrets.ts';
import { choiceQuery, type PageChoice } from '../view/page-choice.ts';

/** The payer's address and browser, from the request. */
export interface Requester {
  readonly ip: string;
  readonly browser: PayerBrowser;
}

/** The part of an attempt that does not depend on the payer's act. */
type ActingPayer = Omit<SubmittedPayment, 'card' | 'paymentType' | 'attemptsSeen'>;

export function actingPayer(
  parts: FormParts,
  { token, record, merchant }: Visit,
  choice: PageChoice,
  requester: Requester,
  given: Readonly<Partial<Record<DetailField, string>>> = {},
): ActingPayer {
  const { session } = record;
  const language = choice.language ?? session.language;
  const stated = statedPayer({ ...session.parameters, ...given });
  const payer: PaymentPayer = {
    ...stated,
    bankId: choice.bankId ?? stated.bankId,
    language,
    ip: parseAddress(requester.ip)?.toString() ?? '',
    browser: requester.browser,
  };
  const query = choiceQuery(withLanguage({}, language, session.language));
  return {
    session,
    merchant,
    payer,
    returnUrl: ({ attempt, reference }) =>
      `${parts.publicUrl()}${FORM_PATH}/${token}/return/${attempt}-${returnSecret(parts, token, reference)}${query}`,
  };
}
