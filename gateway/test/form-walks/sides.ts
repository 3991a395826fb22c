/**
 * The providers' sides of the walks, one row per payment type: the simulator on free ports, the gateway's variables
 * for it, and the charges in its own book.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAdyen } from '../../../rail-simulators/src/adyen/server.ts';
import { startPix } from '../../../rail-simulators/src/pix/server.ts';
import { publicText, webhookKey } from '../../../rail-simulators/src/token-io/key-files.ts';
import { startTokenIo } from '../../../rail-simulators/src/token-io/server.ts';
import { ownPrivateKey } from '../../../rail-simulators/src/trustly/key-files.ts';
import { startTrustly } from '../../../rail-simulators/src/trustly/server.ts';
import { startVoPay } from '../../../rail-simulators/src/vopay/server.ts';
import type { FormPaymentType } from '../../src/domain/methods/payment-type.ts';
import type { EnvironmentVariables } from '../../src/main/config/config.ts';
import { identifierOf } from '../../src/rails/pix/reference.ts';
import { controlSurface, EDGE } from '../support/form-providers/control-surface.ts';
import type { Entry } from '../support/form-providers/provider.ts';

export interface Side {
  readonly variables: EnvironmentVariables;
  /** The origin of the provider's pages. */
  readonly pages: string;
  /** The number of charges under this reference of an attempt. */
  charges(reference: string): Promise<number>;
  /** Calls the control surface: a POST with a body, a GET without one. */
  control(path: string, body?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

interface SidePlace {
  readonly gatewayUrl: string;
  /** An empty folder that only this side uses. */
  readonly folder: string;
}

export const SIDES: Readonly<Record<FormPaymentType, (place: SidePlace) => Promise<Side>>> = {
  async card({ gatewayUrl }) {
    const account = { merchantAccount: 'WalksECOM', apiKey: 'api-key', hmacKey: '0123456789ABCDEF'.repeat(4) };
    const webhookUrl = `${gatewayUrl}/rail-notifications/adyen`;
    const delays = { notifyMs: 100, decideMs: 300, lateMs: 1_500 };
    const { url, close } = await startAdyen({ ...EDGE, ...account, webhookUrl, delays });
    return {
      variables: {
        ADYEN_URL: `${url}/v72`,
        ADYEN_API_KEY: account.apiKey,
        ADYEN_MERCHANT_ACCOUNT: account.merchantAccount,
        ADYEN_HMAC_KEYS: account.hmacKey,
      },
      ...controlled(url, (entry, reference) => entry['kind'] === 'authorised' && entry['reference'] === reference),
      pages: url,
      close,
    };
  },
  async open_banking({ gatewayUrl, folder }) {
    const member = { memberId: 'm:walks:5zKtXEAq', keyId: 'walks-key' };
    const account = { id: 'pa:walks:2gFUX1NEGTG', iban: 'NL91ABNA0417164300', name: 'Walks' };
    const privateKey = webhookKey('74'.repeat(32));
    const ourKey = join(folder, 'private-key.pem');
    const { url, close } = await startTokenIo({
      ...EDGE,
      ...member,
      account,
      privateKey,
      findPublicKey: () => createPublicKey(createPrivateKey(readFileSync(ourKey))),
      webhookUrl: `${gatewayUrl}/rail-notifications/token-io`,
      delays: { prepareMs: 100, bankMs: 300, settleMs: 600 },
    });
    return {
      variables: {
        TOKEN_IO_URL: url,
        TOKEN_IO_MEMBER_ID: member.memberId,
        TOKEN_IO_KEY_ID: member.keyId,
        TOKEN_IO_PRIVATE_KEY_FILE: ourKey,
        TOKEN_IO_WEBHOOK_PUBLIC_KEY: publicText(privateKey),
        TOKEN_IO_SETTLEMENT_ACCOUNT: account.id,
        TOKEN_IO_CREDITOR_IBAN: account.iban,
        TOKEN_IO_CREDITOR_NAME: account.name,
      },
      ...controlled(url, (entry, reference) => entry['kind'] === 'credited' && entry['reference'] === reference),
      pages: url,
      close,
    };
  },
  async e_transfer({ gatewayUrl }) {
    const account = { accountId: 'walks', key: 'its-key', sharedSecret: 'its-shared-secret' };
    const { url, close } = await startVoPay({
      ...EDGE,
      ...account,
      webhookUrl: `${gatewayUrl}/rail-notifications/vopay`,
      delays: { sendMs: 100, settleMs: 300, slowMs: 1_500, cancelMs: 300 },
    });
    return {
      variables: {
        VOPAY_URL: `${url}/api/v2`,
        VOPAY_ACCOUNT_ID: account.accountId,
        VOPAY_KEY: account.key,
        VOPAY_SHARED_SECRET: account.sharedSecret,
      },
      ...controlled(
        url,
        (entry, reference) =>
          entry['kind'] === 'credited' && entry['reference'] === reference && entry['parentId'] === null,
      ),
      pages: url,
      close,
    };
  },
  async instant_bank({ gatewayUrl, folder }) {
    const client = { clientId: 'gateway', clientSecret: 'client-secret', chave: 'loja@example.com' };
    const { url, pagesUrl, close } = await startPix({
      ...EDGE,
      ...client,
      pagesPort: 0,
      receiver: { name: 'Loja', city: 'Recife' },
      certificateFolder: folder,
      webhookUrl: `${gatewayUrl}/rail-notifications`,
    });
    return {
      variables: {
        PIX_URL: `${url}/api/v2`,
        PIX_CLIENT_ID: client.clientId,
        PIX_CLIENT_SECRET: client.clientSecret,
        PIX_CHAVE: client.chave,
        PIX_CITY: 'Recife',
        PIX_CERTIFICATE_FILE: join(folder, 'client-certificate.pem'),
        PIX_PRIVATE_KEY_FILE: join(folder, 'client-key.pem'),
        PIX_CA_FILE: join(folder, 'ca.pem'),
      },
      ...controlled(
        pagesUrl,
        (entry, reference) => entry['kind'] === 'pix_received' && entry['txid'] === identifierOf(reference),
      ),
      pages: pagesUrl,
      close,
    };
  },
  async bank_transfer_iframe({ folder }) {
    const [ourKey, theirKey] = [join(folder, 'private-key.pem'), join(folder, 'trustly-public-key.pem')];
    const { url, close } = await startTrustly({
      ...EDGE,
      username: 'walks',
      password: 'its password',
      privateKey: ownPrivateKey(join(folder, 'trustly-own-key.pem'), theirKey),
      findPublicKey: () => createPublicKey(createPrivateKey(readFileSync(ourKey))),
      delays: { settleMs: 1_000, debitMs: 1_500 },
    });
    return {
      variables: {
        TRUSTLY_URL: `${url}/api/1`,
        TRUSTLY_USERNAME: 'walks',
        TRUSTLY_PASSWORD: 'its password',
        TRUSTLY_PRIVATE_KEY_FILE: ourKey,
        TRUSTLY_PUBLIC_KEY_FILE: theirKey,
      },
      ...controlled(url, (entry, reference) => entry['kind'] === 'credited' && entry['messageId'] === reference),
      pages: url,
      close,
    };
  },
};

/** The control functions that every simulator has under `/control`. */
function controlled(
  origin: string,
  isCharge: (entry: Entry, reference: string) => boolean,
): Pick<Side, 'charges' | 'control'> {
  const { control, book } = controlSurface(origin);
  return { control, charges: async (reference) => (await book()).filter((entry) => isCharge(entry, reference)).length };
}
