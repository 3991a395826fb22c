/**
 * The device fingerprint of EMV 3-D Secure 2.2 in a browser: a hidden form with `threeDSMethodData` goes to the bank's
 * server, which looks at the browser and then posts `threeDSMethodData` back. What comes back comes through the payer's
 * browser and proves nothing; it only says whether the bank has seen the browser.
 *
 * Confirmed by Adyen's own browser library: the field's name, the two members and their order, base64url without padding,
 * at most 10 seconds of waiting, `Y` when the bank came back, `N` when it did not, `U` when there is no address to post to.
 */
import { textOf } from '../kit/provider-json.ts';
import { packBase64Url, unpack } from './base64url-json.ts';

/** `Y` it ran, `N` it did not end in time, `U` the bank has none. */
export type MethodCompletion = 'Y' | 'N' | 'U';

const FIELD = 'threeDSMethodData';

export function methodFields(serverTransId: string, notificationUrl: string): Readonly<Record<string, string>> {
  return {
    [FIELD]: packBase64Url({ threeDSServerTransID: serverTransId, threeDSMethodNotificationURL: notificationUrl }),
  };
}

/** What the return says of this transaction: nothing, or something about another one, is `N`. */
export function readMethodCompletion(
  returned: Readonly<Record<string, string>>,
  serverTransId: string,
): Exclude<MethodCompletion, 'U'> {
  return textOf(unpack(returned[FIELD] ?? ''), 'threeDSServerTransID') === serverTransId ? 'Y' : 'N';
}
