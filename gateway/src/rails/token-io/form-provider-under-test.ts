/** Token.io: the payer leaves for the page of their bank, and returns from it. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayVariables } from '../../../../rail-simulators/src/token-io/gateway-variables.ts';
import { publicText, webhookKey } from '../../../../rail-simulators/src/token-io/key-files.ts';
import { startTokenIo } from '../../../../rail-simulators/src/token-io/server.ts';
import type { Provider, ProviderRow } from '../../../test/support/form-providers/provider.ts';
import type { DelaysTo } from '../../../test/support/rails/payout-provider-row.ts';
import { controlSurface, ofKind, START_OPTIONS } from '../../../test/support/rails/simulator-control.ts';
import { DAY_MS } from '../../foundation/clock.ts';

const MEMBER = { memberId: 'm:tests:5zKtXEAq', keyId: 'tests-key' };
export const TOKEN_IO_SEED = '4a'.repeat(32);
const SETTLEMENT = { id: 'pa:tests:2gFUX1NEGTG', iban: 'NL91ABNA0417164300', name: 'Payment Gateway' };
const DELAYS = { prepareMs: 100, bankMs: 40, settleMs: 80, refundMs: 100, lateMs: 300 };
const TOP = { 'sec-fetch-dest': 'document' };
const BANK = 'nordlys';

export const tokenIo: ProviderRow<DelaysTo<typeof startTokenIo>> = {
  paymentType: 'open_banking',
  currency: 'EUR',
  validityMs: DAY_MS,
  async start({ gatewayUrl, folder }, delays = DELAYS): Promise<Provider> {
    const ourKey = join(folder, 'private-key.pem');
    const privateKey = webhookKey(TOKEN_IO_SEED);
    const { url, close } = await startTokenIo({
      ...START_OPTIONS,
      ...MEMBER,
      account: SETTLEMENT,
      privateKey,
      findPublicKey: () => createPublicKey(createPrivateKey(readFileSync(ourKey))),
      webhookUrl: `${gatewayUrl}/rail-notifications/token-io`,
      delays,
    });
    const { control, faults, book, whenItCan } = controlSurface(url);
    const story: Provider['story'] = async ({ reference }) =>
      (await book()).filter((entry) => entry['reference'] === reference);
    return {
      variables: {
        ...gatewayVariables(url),
        TOKEN_IO_MEMBER_ID: MEMBER.memberId,
        TOKEN_IO_KEY_ID: MEMBER.keyId,
        TOKEN_IO_PRIVATE_KEY_FILE: ourKey,
        TOKEN_IO_WEBHOOK_PUBLIC_KEY: publicText(privateKey),
        TOKEN_IO_SETTLEMENT_ACCOUNT: SETTLEMENT.id,
        TOKEN_IO_CREDITOR_IBAN: SETTLEMENT.iban,
        TOKEN_IO_CREDITOR_NAME: SETTLEMENT.name,
      },
      link: (order) => ({
        currency: 'EUR',
        country: 'FI',
        first_name: 'Aino',
        last_name: 'Virtanen',
        email: `${order}@example.com`,
        bank_id: BANK,
      }),
      typed: () => ({}),
      async act({ reference }, behaviour = 'agree', { payer }) {
        const { callback } = await whenItCan('act', { reference, behaviour });
        const { pathname, search } = new URL(String(callback));
        await payer.open(pathname + search, TOP);
      },
      pages: url,
      control,
      whenItCan,
      faults,
      story,
      charges: async (payment) => ofKind(await story(payment), 'credited').length,
      refunds: async (payment) => ofKind(await story(payment), 'refund_initiated').length,
      close,
    };
  },
};
