/**
 * DT One's error codes as a table, with what each proves.
 *
 * Confirmed by DT One's API description: the format (`errors`, each with code and message), the codes with their meanings, and
 * 500 and 503 as its own faults. Inferred only from the wording: a request rejected with one of these codes created no
 * transaction. If that is wrong, the `external_id` still prevents a second transaction: DT One rejects it as used (1007001),
 * so a transaction exists and the gateway queries it. The same applies to a code outside the table.
 */

import { objectsOf, readObject, textOf } from '../kit/provider-json.ts';
import { declined, notAccepted, type Refused, unknown } from '../kit/rail-answers.ts';

const CREDENTIALS = '1000401';
export const NO_TRANSACTION = '1008004';

const MEANINGS: ReadonlyMap<string, Refused> = new Map<string, Refused>([
  [CREDENTIALS, notAccepted('DT One refuses our key (HTTP 401): check the key and its secret')],
  ['1000429', notAccepted('DT One rejects our requests by its rate limit')],
  ['1000400', notAccepted('DT One rejects our request as invalid')],
  ['1003001', notAccepted('our account at DT One does not have this product: check DT_ONE_PRODUCTS')],
  ['1003003', notAccepted('DT One’s product has a different unit: check DT_ONE_PRODUCTS')],
  ['1006001', notAccepted('the balance of our account at DT One is too low')],
  ['1006009', notAccepted('DT One has no account of ours for the product’s currency')],
  ['1003002', declined('limit_or_risk', 'the amount is outside the product’s range at DT One')],
  ['1005003', declined('invalid_beneficiary', 'DT One rejects the number')],
  ['1007500', declined('invalid_beneficiary', 'the operator does not support this top-up')],
]);

export interface Refusal {
  /** The meaning for a new transaction. */
  readonly answer: Refused;
  /** DT One's code. Empty if there is none. */
  readonly code: string;
  readonly isOfCredentials: boolean;
}

export function readRefusal(status: number, body: Buffer): Refusal {
  const code = status < 500 ? codeOf(body) : '';
  const answer = MEANINGS.get(code) ?? unknown(`HTTP ${status}${code && ` (${code})`}`);
  return { answer, code, isOfCredentials: code === CREDENTIALS };
}

/** Returns the code of the first error. Empty if the response is not DT One's own. */
function codeOf(body: Buffer): string {
  const [first] = objectsOf(readObject(body), 'errors') ?? [];
  const code = textOf(first, 'code');
  return /^1\d{6}$/.test(code) ? code : '';
}
