/**
 * The challenge of EMV 3-D Secure 2.2 in a browser. A form with `creq` goes to the bank's access control server (ACS),
 * which asks the payer and then posts `cres` back. The CRes comes unsigned through the payer's browser, so its
 * `transStatus` must decide nothing here. Adyen has the bank's own result (RReq) and alone decides about the payment.
 *
 * Confirmed by Adyen's browser library and a public schema of the message: the members of CReq, `creq`, base64url
 * without padding, the window sizes. Confirmed by a 3-D Secure server's public documentation: `cres`, its members, and
 * that both transaction ids are UUIDs. Not confirmed with Adyen: what an ACS posts on an error (`Erro`); the code reads
 * it as `U`.
 */
import { textOf } from '../kit/provider-json.ts';
import { packBase64Url, unpack } from './base64url-json.ts';

export interface ChallengeIds {
  readonly serverTransId: string;
  readonly acsTransId: string;
  readonly messageVersion: string;
}

/** The full size of our frame. The narrow sizes are for pages with other content beside the frame. */
export const CHALLENGE_WINDOW = '05';

export function challengeFields({ serverTransId, acsTransId, messageVersion }: ChallengeIds) {
  const creq = packBase64Url({
    threeDSServerTransID: serverTransId,
    acsTransID: acsTransId,
    messageVersion,
    messageType: 'CReq',
    challengeWindowSize: CHALLENGE_WINDOW,
  });
  return { creq } as const;
}

const STATUSES: ReadonlySet<string> = new Set(['Y', 'N', 'A', 'U', 'C', 'D', 'R', 'I']);

/** `U`: the bank could not determine whether the payer is the cardholder. */
const UNAVAILABLE = 'U';

/** The `transStatus` of a CRes about this challenge. Undefined if the fields hold none. */
export function readChallengeResult(
  returned: Readonly<Record<string, string>>,
  { serverTransId, acsTransId }: ChallengeIds,
): string | undefined {
  const message = unpack(returned['cres'] ?? '');
  const isOfThis =
    textOf(message, 'threeDSServerTransID') === serverTransId && textOf(message, 'acsTransID') === acsTransId;
  if (!isOfThis) return undefined;
  const status = textOf(message, 'transStatus');
  switch (textOf(message, 'messageType')) {
    case 'CRes':
      return STATUSES.has(status) ? status : UNAVAILABLE;
    case 'Erro':
      return UNAVAILABLE;
    default:
      return undefined;
  }
}
