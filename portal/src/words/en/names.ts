/** English names of the gateway’s codes, and its texts with parameters. */

import { ACT_NAMES } from '../../../../gateway/contract/texts/act-names.ts';
import { HISTORY_REASONS } from '../../../../gateway/contract/texts/history-reasons.ts';
import { PAYMENT_TYPE_NAMES, PAYOUT_METHOD_NAMES } from '../../../../gateway/contract/texts/method-names.ts';
import { LINE_TEXTS } from '../../../../gateway/contract/texts/statement-lines.ts';
import { EN_FIRST_PAGE } from './first-page.ts';

export const EN_NAMES = {
  /** The names by number of the payout method. */
  payoutMethods: PAYOUT_METHOD_NAMES,
  paymentTypes: PAYMENT_TYPE_NAMES,
  /** The kinds of ledger transfers. Statements contain the lines `reserve` and `release` only for held money. */
  transferKinds: { ...LINE_TEXTS, reserve: 'Reserved', release: 'Released' } as Readonly<Record<string, string>>,
  /** The actions in a merchant's audit log. Operator users see the plain names of their own actions. */
  acts: ACT_NAMES,
  problems: EN_FIRST_PAGE.problems,
  historyReasons: HISTORY_REASONS,
};
