/** Trustly: the payer agrees on its page, which is in our frame. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayVariables } from '../../../../rail-simulators/src/trustly/gateway-variables.ts';
import { ownPrivateKey } from '../../../../rail-simulators/src/trustly/key-files.ts';
import { startTrustly } from '../../../../rail-simulators/src/trustly/server.ts';
import type { Provider, ProviderRow } from '../../../test/support/form-providers/provider.ts';
import type { DelaysTo } from '../../../test/support/rails/payout-provider-row.ts';
import { controlSurface, ofKind, START_OPTIONS } from '../../../test/support/rails/simulator-control.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';

const NAME = { first_name: 'Aino', last_name: 'Virtanen', country: 'FI' };
const DELAYS = { settleMs: 150, debitMs: 200, lateMs: 300 };

export interface TrustlyProvider extends Provider {
  /** Signs any message as Trustly. */
  readonly key: KeyObject;
}

export const trustly = {
  paymentType: 'bank_transfer_iframe',
  currency: 'EUR',
  validityMs: 30 * MINUTE_MS,
  async start({ folder }, delays: DelaysTo<typeof startTrustly> = DELAYS): Promise<TrustlyProvider> {
    const [ourKey, theirKey] = [join(folder, 'private-key.pem'), join(folder, 'trustly-public-key.pem')];
    const account = { username: 'tests', password: 'its password' };
    const key = ownPrivateKey(join(folder, 'trustly-own-key.pem'), theirKey);
    const { url, close } = await startTrustly({
      ...START_OPTIONS,
      ...account,
      privateKey: key,
      findPublicKey: () => createPublicKey(createPrivateKey(readFileSync(ourKey))),
      delays,
    });
    const { control, faults, book, whenItCan } = controlSurface(url);
    const story: Provider['story'] = async ({ reference }) =>
      (await book()).filter(({ messageId }) => messageId === reference);
    return {
      key,
      variables: {
        ...gatewayVariables(url),
        TRUSTLY_USERNAME: account.username,
        TRUSTLY_PASSWORD: account.password,
        TRUSTLY_PRIVATE_KEY_FILE: ourKey,
        TRUSTLY_PUBLIC_KEY_FILE: theirKey,
      },
      link: (order) => ({
        currency: 'EUR',
        ...NAME,
        email: `${order}@example.com`,
      }),
      typed: (order) => ({ ...NAME, email: `${order}@example.com` }),
      act: async ({ reference }, behaviour = 'pay') =>
        void (await whenItCan('act', { messageid: reference, behaviour })),
      pages: url,
      control,
      whenItCan,
      faults,
      story,
      charges: async (payment) => ofKind(await story(payment), 'credited').length,
      refunds: async (payment) => ofKind(await story(payment), 'refunded').length,
      close,
    };
  },
} as const satisfies ProviderRow;
