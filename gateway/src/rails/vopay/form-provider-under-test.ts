/** VoPay: the payer accepts the message of their bank, and has no page to return from. */
import { gatewayVariables } from '../../../../rail-simulators/src/vopay/gateway-variables.ts';
import { startVoPay } from '../../../../rail-simulators/src/vopay/server.ts';
import type { Provider, ProviderRow } from '../../../test/support/form-providers/provider.ts';
import type { DelaysTo } from '../../../test/support/rails/payout-provider-row.ts';
import { controlSurface, ofKind, START_OPTIONS } from '../../../test/support/rails/simulator-control.ts';
import { DAY_MS } from '../../foundation/clock.ts';

export const ACCOUNT = { accountId: 'tests', key: 'its-key', sharedSecret: 'its-shared-secret' };
const NAME = { first_name: 'Avery', last_name: 'Tremblay' };
const DELAYS = { sendMs: 20, settleMs: 80, slowMs: 2_000, cancelMs: 80, lateMs: 300, webhookPauseMs: 300 };

const REQUEST = 'Interac Money Request';

export const vopay: ProviderRow<DelaysTo<typeof startVoPay>> = {
  paymentType: 'e_transfer',
  currency: 'CAD',
  validityMs: DAY_MS,
  async start({ gatewayUrl }, delays = DELAYS): Promise<Provider> {
    const webhookUrl = `${gatewayUrl}/rail-notifications/vopay`;
    const { url, close } = await startVoPay({ ...START_OPTIONS, ...ACCOUNT, webhookUrl, delays });
    const { control, faults, book, whenItCan } = controlSurface(url);
    const story: Provider['story'] = async ({ reference }) => {
      const entries = await book();
      const ids = new Set(entries.filter((entry) => entry['reference'] === reference).map(({ id }) => id));
      return entries.filter(({ id, parentId }) => ids.has(id) || ids.has(parentId));
    };
    return {
      variables: {
        ...gatewayVariables(url),
        VOPAY_ACCOUNT_ID: ACCOUNT.accountId,
        VOPAY_KEY: ACCOUNT.key,
        VOPAY_SHARED_SECRET: ACCOUNT.sharedSecret,
      },
      // For a second transfer of the same amount to the same address, VoPay requires a confirmation.
      link: (order) => ({
        currency: 'CAD',
        country: 'CA',
        ...NAME,
        email: `${order}@example.com`,
      }),
      typed: (order) => ({ ...NAME, email: `${order}@example.com` }),
      act: async ({ reference }, behaviour = 'accept') => void (await whenItCan('act', { reference, behaviour })),
      pages: url,
      control,
      whenItCan,
      faults,
      story,
      charges: async (payment) =>
        ofKind(await story(payment), 'credited').filter(({ type }) => type === REQUEST).length,
      refunds: async (payment) =>
        ofKind(await story(payment), 'accepted').filter(({ type }) => type !== REQUEST).length,
      close,
    };
  },
};
