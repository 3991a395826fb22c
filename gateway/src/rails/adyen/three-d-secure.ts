/**
 * The browser's two steps of EMV 3-D Secure 2.2. Both returns come through the payer's browser and prove nothing: Adyen has the
 * bank's own result (RReq), which is the only one that decides on the payment.
 *
 * The device fingerprint: a hidden form with `threeDSMethodData` goes to the bank's server, which inspects the browser and then
 * posts `threeDSMethodData` back. It only says whether the bank has seen the browser.
 *
 * The challenge: a form with `creq` goes to the bank's access control server (ACS), which asks the payer and then posts `cres`
 * back. The CRes is unsigned, so its `transStatus` must decide nothing here.
 *
 * Confirmed by Adyen's browser library: the fingerprint's field, its two members and their order, and base64url without
 * padding. The page waits at most 10 seconds. `Y` means that the bank posted back, `N` that it did not, `U` that there is no
 * address. Confirmed by Adyen's browser library and a public schema of the message: the members of CReq, `creq`, and the window
 * sizes. Confirmed by a 3-D Secure server's public documentation: `cres`, its members, and that both transaction ids are UUIDs.
 * Not confirmed with Adyen: what an ACS posts on an error (`Erro`); the code reads it as `U`.
 */
import { textOf } from '../kit/provider-json.ts';
import { packBase64Url, unpack } from './base64url-json.ts';

/** `Y`: the fingerprint step ran. `N`: it did not complete in time. `U`: the bank has no such step. */
export type MethodCompletion = 'Y' | 'N' | 'U';

const FIELD = 'threeDSMethodData';

export function methodFields(serverTransId: string, notificationUrl: string): Readonly<Record<string, string>> {
  return {
    [FIELD]: packBase64Url({ threeDSServerTransID: serverTransId, threeDSMethodNotificationURL: notificationUrl }),
  };
}

/**
 * Returns the completion that the return states for this transaction. A return that is missing or belongs to a different
 * transaction is `N`.
 */
export function readMethodCompletion(
  returned: Readonly<Record<string, string>>,
  serverTransId: string,
): Exclude<MethodCompletion, 'U'> {
  return textOf(unpack(returned[FIELD] ?? ''), 'threeDSServerTransID') === serverTransId ? 'Y' : 'N';
}

export interface ChallengeIds {
  readonly serverTransId: string;
  readonly acsTransId: string;
  readonly messageVersion: string;
}

/** The full size of our frame. The narrow sizes are for pages with other content next to the frame. */
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

/** Returns the `transStatus` of a CRes about this challenge. Undefined if the fields hold none. */
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
