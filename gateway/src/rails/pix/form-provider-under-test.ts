/** A bank that receives Pix: the payer pays the page's code in the app of their own bank. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../../rail-simulators/src/pix/gateway-variables.ts';
import { startPix } from '../../../../rail-simulators/src/pix/server.ts';
import type { Provider, ProviderRow } from '../../../test/support/form-providers/provider.ts';
import type { DelaysTo } from '../../../test/support/rails/payout-provider-row.ts';
import { controlSurface, ofKind, START_OPTIONS } from '../../../test/support/rails/simulator-control.ts';
import { DAY_MS } from '../../foundation/clock.ts';
import { identifierOf } from './reference.ts';

const CPF = '52998224725';
const OTHER_CPF = '11144477735';

const CLIENT = { clientId: 'gateway', clientSecret: 'client-secret', chave: 'loja@example.com' };
const NAME = { first_name: 'Joana', last_name: 'Silva', cpf: CPF };
const DELAYS = { refundMs: 100, lateMs: 300 };

export const pix: ProviderRow<DelaysTo<typeof startPix>> = {
  paymentType: 'instant_bank',
  currency: 'BRL',
  validityMs: DAY_MS,
  async start({ gatewayUrl, folder }, delays = DELAYS): Promise<Provider> {
    const { url, pagesUrl, close } = await startPix({
      ...START_OPTIONS,
      ...CLIENT,
      pagesPort: 0,
      receiver: { name: 'Loja', city: 'Recife' },
      certificateFolder: folder,
      webhookUrl: `${gatewayUrl}/rail-notifications`,
      delays,
    });
    const { control, faults, book, whenItCan } = controlSurface(pagesUrl);
    const story: Provider['story'] = async ({ reference }) =>
      (await book()).filter(({ txid }) => txid === identifierOf(reference));
    return {
      variables: {
        ...gatewayVariables(url),
        PIX_CLIENT_ID: CLIENT.clientId,
        PIX_CLIENT_SECRET: CLIENT.clientSecret,
        PIX_CHAVE: CLIENT.chave,
        PIX_CITY: 'Recife',
        PIX_CERTIFICATE_FILE: join(folder, 'client-certificate.pem'),
        PIX_PRIVATE_KEY_FILE: join(folder, 'client-key.pem'),
        PIX_CA_FILE: join(folder, 'ca.pem'),
      },
      link: () => ({ currency: 'BRL', country: 'BR', ...NAME }),
      typed: () => NAME,
      async act({ reference }, behaviour = 'exact') {
        const who = behaviour === 'other_cpf' ? { cpf: OTHER_CPF, name: 'Bia Souza' } : {};
        await whenItCan('pay', { txid: identifierOf(reference), behaviour, ...who });
      },
      pages: pagesUrl,
      control,
      whenItCan,
      faults,
      story,
      charges: async (payment) => ofKind(await story(payment), 'pix_received').length,
      refunds: async (payment) => ofKind(await story(payment), 'refund_settled').length,
      close,
    };
  },
};
