/** The wallets above the card's fields. The script shows the wallets that the browser supports. Without it, none is visible. */
import type { CardBrand } from '../../../domain/methods/card-brand.ts';
import { WALLETS, type Wallet } from '../../../domain/payments/wallet.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { catalogueOf } from '../languages/languages.ts';
import { attributes, type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';
import { hidden, postForm } from './page-forms.ts';
import { BROWSER_FIELDS, type ViewOf } from './page-view.ts';
import { WALLET_NAMES } from './receipt-of.ts';

/** The brands' names in each wallet. A brand without a name is not offered in that wallet. */
const NETWORKS: Readonly<Record<Wallet, Partial<Record<CardBrand, string>>>> = {
  apple_pay: {
    visa: 'visa',
    mastercard: 'masterCard',
    amex: 'amex',
    maestro: 'maestro',
    jcb: 'jcb',
    discover: 'discover',
    unionpay: 'chinaUnionPay',
    elo: 'elo',
  },
  google_pay: { visa: 'VISA', mastercard: 'MASTERCARD', amex: 'AMEX', jcb: 'JCB', discover: 'DISCOVER' },
};

export function walletButtons({ wallets, brands, payment }: ViewOf<'card'>, context: PageContext): Html | null {
  if (wallets === null) return null;
  const networksOf = (wallet: Wallet) => brands.flatMap((brand) => NETWORKS[wallet][brand] ?? []);
  const offer = {
    ...wallets,
    label: payment.merchantName,
    currency: payment.money.currency,
    amount: formatAmount(payment.money),
    networks: Object.fromEntries(WALLETS.map((wallet) => [wallet, networksOf(wallet)])),
  };
  const buttons = WALLETS.map(
    (wallet) =>
      html`<button ${attributes({ class: `wallet wallet--${wallet}`, type: 'button', 'data-wallet': wallet, hidden: true })}>${WALLET_NAMES[wallet]}</button>`,
  );
  const names = ['wallet', 'wallet_token', ...(wallets.needsEmail ? ['email'] : []), ...BROWSER_FIELDS];
  const content = html`${names.map((name) => hidden(name, ''))}${buttons}`;
  const section = attributes({ class: 'wallets', hidden: true, 'data-wallets': JSON.stringify(offer) });
  return html`<div ${section}>${postForm('pay_by_wallet', content, context)}
<p class="or">${catalogueOf(context.language).card.orByCard}</p></div>`;
}
