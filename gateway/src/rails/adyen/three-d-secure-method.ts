/**
 * The device fingerprint of EMV 3-D Secure 2.2 in a browser. A hidden form with `threeDSMethodData` goes to the bank's
 * server, which inspects the browser and then posts `threeDSMethodData` back. The return comes through the payer's
 * browser and proves nothing. It only says whether the bank has seen the browser.
 *
 * Confirmed by Adyen's browser library: the field's name, the two members and their order, and base64url without
 * padding. The page waits at most 10 seconds. `Y` means that the bank posted back, `N` that it did not, `U` that there
 * is no address.
 */
import { textOf } from '../kit/provider-json.ts';
import { packBase64Url, unpack } from './base64url-json.ts';

/** `Y`: it ran. `N`: it did not end in time. `U`: the bank has none. */
export type MethodCompletion = 'Y' | 'N' | 'U';

const FIELD = 'threeDSMethodData';

export function methodFields(serverTransId: string, notificationUrl: string): Readonly<Record<string, string>> {
  return {
    [FIELD]: packBase64Url({ threeDSServerTransID: serverTransId, threeDSMethodNotificationURL: notificationUrl }),
  };
}

/** The completion that the return states for this transaction. A missing or foreign return is `N`. */
export function readMethodCompletion(
  returned: Readonly<Record<string, string>>,
  serverTransId: string,
): Exclude<MethodCompletion, 'U'> {
  return textOf(unpack(returned[FIELD] ?? ''), 'threeDSServerTransID') === serverTransId ? 'Y' : 'N';
}
