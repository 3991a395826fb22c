/** The authentications in progress, indexed by each of their ids. They exist only in memory, so a restart abandons them. */
import type { Payment } from './book.ts';
import type { Behaviour } from './cards.ts';
import type { Ids } from './ids.ts';
import type { CheckedPayment } from './requests.ts';
import type { Authentication, AuthenticationIds } from './three-d-secure.ts';

export class Authentications {
  readonly #ids: Ids;
  readonly #byName = new Map<string, Authentication>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  begin({ pspReference }: Payment, request: CheckedPayment, { authentication }: Behaviour): Authentication {
    const ids: AuthenticationIds = {
      serverTransId: this.#ids.uuid(),
      acsTransId: this.#ids.uuid(),
      paymentData: this.#ids.opaque('paymentData'),
      authorisationToken: this.#ids.opaque('authorisationToken'),
      redirectId: this.#ids.uuid(),
    };
    const begun: Authentication = {
      ...ids,
      pspReference,
      notificationUrl: request.notificationUrl,
      returnUrl: request.returnUrl,
      hasMethod: authentication !== 'no_method',
      stage: request.isNative ? (authentication === 'challenge' ? 'challenge' : 'fingerprint') : 'redirect',
      // Without a challenge, the bank has already authenticated the payer.
      transStatus: authentication === 'fingerprint' || authentication === 'no_method' ? 'Y' : null,
      wrongCodes: 0,
    };
    for (const [kind, name] of Object.entries(ids)) this.#byName.set(`${kind} ${name}`, begun);
    return begun;
  }

  find(kind: keyof AuthenticationIds, name: string): Authentication | undefined {
    return this.#byName.get(`${kind} ${name}`);
  }

  clear(): void {
    this.#byName.clear();
  }
}
