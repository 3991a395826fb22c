/** The faults and warnings of a batch's rows in the person's language. The API writes them in English. */
import type { Words } from '../../../words/en/en.ts';

type Kind = keyof Words['batches']['faultTexts'];

/** A text with its one varying part. */
const TEXTS: Readonly<Record<Kind, RegExp>> = {
  format: /^(\w+) is missing or has an invalid format\. See the page of payout methods\.$/,
  unknownField: /^(\w+) is not a field of this method\. Remove it\.$/,
  sameIdInFile: /^Row (\d+) has the same payout_id\.$/,
  idUsed: /^The merchant already has a payout with this payout_id\.$/,
  suspended: /^The merchant is suspended\. Ask the operator to activate it\.$/,
  otherCurrency: /^The method pays in another currency\.$/,
  limits: /^The amount is outside the limits of this method\.$/,
  funds: /^The available balance does not cover the amount and the fee\.$/,
  unavailable: /^The method is not available to this merchant now\.$/,
  otherPayout: /^The merchant has another payout with this id\.$/,
  sameContentInFile: /^Row (\d+) has the same content\.$/,
  sameContent: /^Payout (.+) of the last 24 hours has the same content\.$/,
};

/** A text that no row of the table fits stays unchanged. */
export function translateFault(detail: string, { batches }: Words): string {
  for (const [kind, pattern] of Object.entries(TEXTS)) {
    const [found, part = ''] = pattern.exec(detail) ?? [];
    if (found !== undefined) return batches.faultTexts[kind as Kind](part);
  }
  return detail;
}
