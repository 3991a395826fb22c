/**
 * Payouts to cards in euros and dollars through Adyen's Transfers API. For the payout that the demo shows, Adyen books faster,
 * and its status can be queried.
 */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/adyen-transfers/gateway-variables.ts';
import { DemoFailure } from '../demo-failure.ts';
import { CARD_EUR, MASTERCARD, VISA_CARD } from '../payout-examples.ts';
import type { Simulator } from '../simulator.ts';
import type { Provider, ProviderPlace, Rails } from './provider.ts';

export const adyenTransfers: Provider = {
  name: 'Adyen Transfers',
  kind: {
    name: 'Adyen Transfers simulator',
    program: 'adyenTransfers',
    server: 'adyen-transfers-simulator',
    probe: '/control/summary',
    variables: { url: 'ADYEN_TRANSFERS_URL', port: 'ADYEN_TRANSFERS_PORT', secret: 'ADYEN_TRANSFERS_CONTROL_SECRET' },
  },
  usualPort: '4140',
  otherPorts: {},
  controlSecret: 'adyen-transfers-control-secret',
  variables: ({ ADYEN_TRANSFERS_PORT }) => gatewayVariables(`http://127.0.0.1:${ADYEN_TRANSFERS_PORT}`),
  environment: ({ adyenTransfers: known }, { gatewayUrl, dataDir }) => ({
    ADYEN_TRANSFERS_API_KEY: known?.apiKey.reveal() ?? '',
    ADYEN_TRANSFERS_BALANCE_ACCOUNT: known?.balanceAccount ?? '',
    ADYEN_TRANSFERS_HMAC_KEY: known?.hmacKeys[0]?.reveal() ?? '',
    ADYEN_TRANSFERS_WEBHOOK_URL: `${gatewayUrl}/rail-notifications/adyen-transfers`,
    ADYEN_TRANSFERS_BOOK: join(dataDir, 'adyen-transfers.jsonl'),
  }),
  payouts: {
    examples: [
      {
        title: 'card USD (8): authorised first, paid after 2 s',
        method: 8,
        amount: '80.00',
        currency: 'USD',
        fields: { account: VISA_CARD, exp_date: '12/39', full_name: 'Maria Lopez' },
      },
      CARD_EUR,
      {
        title: 'card EUR, the alternative (93): the same, with the recipient’s details',
        method: 93,
        amount: '93.00',
        currency: 'EUR',
        fields: {
          account: MASTERCARD,
          full_name: 'Greta Weber',
          customs_birthday: '29-02-1988',
          customs_phone: '+4915112345678',
          customs_email: 'greta@example.com',
          customs_address: 'Lange Gasse 7',
          customs_city: 'Ulm',
          customs_state: 'Bayern',
          customs_post_code: '89073',
          customs_user_id: 'customer-93',
          customs_country: 'DE',
        },
      },
    ],
    cents: [
      ['.42', 'is found by a query'],
      ['.60', 'is reversed later'],
    ],
  },
};

export interface AdyenSide {
  /** Resolves to Adyen's status of the transfer with `reference`, queried as its clients do. */
  statusOf(reference: string): Promise<string>;
  /** Makes Adyen book immediately while `work` runs, so that the reader need not wait. */
  inHurry<Done>(work: () => Promise<Done>): Promise<Done>;
}

const DAY_MS = 24 * 3_600_000;

export function adyenSide(at: Simulator, { url }: ProviderPlace, account: Rails['adyenTransfers']): AdyenSide {
  const setCourse = (transfers: string) => at.ask('/control/faults', { transfers });
  return {
    async statusOf(reference) {
      if (!account) throw new DemoFailure(`The gateway is not configured for the Adyen Transfers simulator on ${url}`);
      const [createdSince = '', createdUntil = ''] = [-DAY_MS, DAY_MS].map((ms) =>
        new Date(Date.now() + ms).toISOString(),
      );
      const query = { balanceAccountId: account.balanceAccount, createdSince, createdUntil, reference };
      const answer = await fetch(`${account.url}/transfers?${new URLSearchParams(query)}`, {
        headers: { 'x-api-key': account.apiKey.reveal() },
      });
      const { data = [] } = (await answer.json()) as { data?: readonly { readonly status: string }[] };
      return data.map(({ status }) => status).join(', ') || `nothing (HTTP ${answer.status})`;
    },
    async inHurry(work) {
      await setCourse('book_at_once');
      try {
        return await work();
      } finally {
        await setCourse('by_amount');
      }
    },
  };
}
