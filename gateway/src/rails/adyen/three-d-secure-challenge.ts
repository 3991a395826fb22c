/**
 * The challenge of EMV 3-D Secure 2.2 in a browser: a form with `creq` goes to the bank's access control server (ACS),
 * which asks the payer and then posts `cres` back. The CRes comes through the payer's browser and is not signed, so its
 * `transStatus` decides nothing here: Adyen has the bank's own word (RReq) and alone says what the payment is.
 *
 * Confirmed by Adyen's own browser library and a public schema of the message: the members of CReq, `creq`, base64url
 * without padding, the window sizes. By a 3-D Secure server's public documentation: `cres`, its members, and that both
 * transaction ids are UUIDs. Not confirmed with Adyen: what an ACS posts on an error (`Erro`), which is taken for `U`.
 */
import { textOf } from '../kit/provider-json.ts';
import { packBase64Url, unpack } from './base64url-json.ts';

export interface ChallengeIds {
  readonly serverTransId: string;
  readonly acsTransId: string;
  readonly messageVersion: string;
}

/** The whole of our frame, whatever that is; the narrow ones are for pages that keep other things beside it. */
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

/** `U`: whether the payer is the holder could not be found out. */
export const UNAVAILABLE = 'U';

/** The `transStatus` of a CRes about this very challenge; undefined when the fields hold none. */
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
