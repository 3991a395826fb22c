/** Adyen: the card decides the outcome; the payer answers the bank's challenge on Adyen's page. */
import assert from 'node:assert/strict';
import { gatewayVariables } from '../../../../rail-simulators/src/adyen/gateway-variables.ts';
import { startAdyen } from '../../../../rail-simulators/src/adyen/server.ts';
import { unescaped } from '../../../test/support/form/form-payer.ts';
import type { PayerPlace, Provider, ProviderRow } from '../../../test/support/form-providers/provider.ts';
import type { DelaysTo } from '../../../test/support/rails/payout-provider-row.ts';
import { controlSurface, ofKind, START_OPTIONS } from '../../../test/support/rails/simulator-control.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';

export const CARDS = {
  plain: '4111111111111111',
  challenge: '5454545454545454',
} as const;

const RIGHT_CODE = '123456';
export const ACCOUNT = { merchantAccount: 'TestsECOM', apiKey: 'api-key', hmacKey: '0123456789ABCDEF'.repeat(4) };
const DELAYS = { notifyMs: 30, decideMs: 80, lateMs: 300 };
/** The headers of a browser that opens a page outside a frame. */
const TOP = { 'sec-fetch-dest': 'document' };

export const adyen: ProviderRow<DelaysTo<typeof startAdyen>> = {
  paymentType: 'card',
  currency: 'EUR',
  validityMs: 30 * MINUTE_MS,
  async start({ gatewayUrl }, delays = DELAYS): Promise<Provider> {
    const webhookUrl = `${gatewayUrl}/rail-notifications/adyen`;
    const { url, close } = await startAdyen({ ...START_OPTIONS, ...ACCOUNT, webhookUrl, delays });
    const { control, faults, book, whenItCan } = controlSurface(url);
    const story: Provider['story'] = async ({ reference }) =>
      (await book()).filter((entry) => entry['reference'] === reference);
    return {
      variables: {
        ...gatewayVariables(url),
        ADYEN_API_KEY: ACCOUNT.apiKey,
        ADYEN_MERCHANT_ACCOUNT: ACCOUNT.merchantAccount,
        ADYEN_HMAC_KEYS: ACCOUNT.hmacKey,
      },
      link: (order) => ({ currency: 'EUR', country: 'DE', email: `${order}@example.com` }),
      typed: (order, card = CARDS.challenge) => ({
        email: `${order}@example.com`,
        card_number: card,
        card_expiry: '03/38',
        card_cvv: '737',
        card_holder: 'Olena Shevchenko',
      }),
      act: (_payment, answers = RIGHT_CODE, place) => answerChallenge(url, answers.split(' '), place),
      pages: url,
      control,
      whenItCan,
      faults,
      story,
      charges: async (payment) => ofKind(await story(payment), 'authorised').length,
      refunds: async (payment) =>
        ofKind(await story(payment), 'refunded').length - ofKind(await story(payment), 'refund_failed').length,
      close,
    };
  },
};

/** Each answer is a code or `cancel`. The payer returns when the bank accepts no further answers. */
async function answerChallenge(adyenUrl: string, answers: readonly string[], { payer, page }: PayerPlace) {
  const [, link = ''] = /<a class="button button--primary" href="([^"]*)"/.exec(page.text) ?? [];
  assert.ok(link.startsWith(adyenUrl), `${page.heading}: ${link}`);
  let html = await (await fetch(unescaped(link))).text();
  for (const answer of answers) {
    const given = answer === 'cancel' ? { action: 'cancel' } : { action: 'confirm', code: answer };
    const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(html) ?? [];
    const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const fields = hidden.map(([, name = '', value = '']) => [name, unescaped(value)] as const);
    const response = await fetch(new URL(unescaped(action), adyenUrl), {
      method: 'POST',
      body: new URLSearchParams({ ...Object.fromEntries(fields), ...given }),
      redirect: 'manual',
    });
    const location = response.headers.get('location');
    if (location !== null) {
      const { pathname, search } = new URL(location);
      await payer.open(pathname + search, TOP);
      return;
    }
    html = await response.text();
  }
  assert.fail(`the bank still asks: ${html}`);
}
