/** The facts of this gateway and of the reading merchant that the reference shows. */
import type { MerchantSettings } from '../../domain/merchants/merchant-settings.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { formatAmount } from '../../foundation/money.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { DefaultRates, RateSetting } from '../authentication/rate-limit.ts';
import { attributes, type Html, type HtmlContent, html } from '../form/pages/html.ts';

export interface ReferenceFacts {
  /** The address for merchants. Null if it is not configured. */
  readonly baseUrl: string | null;
  readonly isSandbox: boolean;
  /** The payout methods that have a rail here. */
  readonly payoutMethods: ReadonlySet<number>;
  /** The ways to pay a deposit, with their currencies. */
  readonly deposits: readonly (readonly [paymentType: string, currencies: readonly Currency[]])[];
  /** The default limits of a merchant, by setting. 0 means no limit. */
  readonly ratesPerSecond: DefaultRates;
}

/** The merchant for whom the page is filled in. */
export interface ReferenceOwner {
  readonly merchantId: MerchantId;
  readonly settings: MerchantSettings;
  /** Null for a live gateway. */
  readonly sandboxKey: Secret | null;
}

/** A payout method as the description shows it. */
export interface ReferenceMethod {
  readonly number: number;
  readonly currency: Currency;
  readonly link: Html;
}

/** The URL that requests the merchant id and the key of a sandbox. */
const OWN_PAGE = '?mine';

export function factsSection(
  { baseUrl, isSandbox, payoutMethods, deposits, ratesPerSecond }: ReferenceFacts,
  owner: ReferenceOwner | undefined,
  methods: readonly ReferenceMethod[],
): Html {
  const { disabled_methods = [], disabled_payment_types = [] } = owner?.settings ?? {};
  const rates = Object.entries(ratesPerSecond).map(
    ([setting, usual]) => [setting, owner?.settings[setting as RateSetting] ?? usual] as const,
  );
  const rows = [
    ...methods.map(({ number, currency, link }) => {
      const isOff = disabled_methods.includes(String(number));
      const state = payoutMethods.has(number) ? (isOff ? 'disabled for you' : 'yes') : 'no provider';
      return factsRow(link, currency, state, limitsOf(owner, number, currency));
    }),
    ...deposits.flatMap(([type, currencies]) =>
      currencies.map((currency) => {
        const state = disabled_payment_types.includes(type) ? 'disabled for you' : 'yes';
        return factsRow(html`Deposit: ${type}`, currency, state, limitsOf(owner, type, currency));
      }),
    ),
  ];
  return html`<section id="gateway"><h2>This gateway</h2>
<dl>
<dt>Address</dt><dd>${baseUrl === null ? 'Ask your operator.' : html`<code>${baseUrl}</code>`}</dd>
<dt>Payments</dt><dd>${isSandbox ? 'A sandbox: no real money moves.' : 'Live.'}</dd>
${owner === undefined ? null : html`<dt>Your merchant id</dt><dd><code>${owner.merchantId}</code></dd>`}
${owner?.sandboxKey ? html`<dt>Your API key in this sandbox</dt><dd><code>${owner.sandboxKey.reveal()}</code></dd>` : null}
<dt>Requests a second${owner === undefined ? ', unless your operator agreed on others' : null}</dt>
<dd>${rates.map(([setting, rate]) => html`<code>${setting}</code> ${rate === 0 ? 'no limit' : rate}. `)}</dd>
<dt>Largest body</dt><dd>64 KiB</dd>
</dl>
${isSandbox && owner === undefined ? html`<p><a ${attributes({ href: OWN_PAGE })}>Fill in my merchant id and key</a>: your browser asks for them as user name and password.</p>` : null}
<table><caption>Payout methods and deposits</caption>
<thead><tr><th scope="col">method</th><th scope="col">currency</th><th scope="col">here</th><th scope="col">amounts</th></tr></thead>
<tbody>${rows}</tbody></table>
</section>`;
}

function factsRow(name: HtmlContent, currency: string, state: string, limits: string): Html {
  return html`<tr><td>${name}</td><td>${currency}</td><td>${state}</td><td>${limits}</td></tr>`;
}

/** Returns the limits of the merchant. Without a merchant, the operator's terms are unknown. */
function limitsOf(owner: ReferenceOwner | undefined, method: number | string, currency: Currency): string {
  if (owner === undefined) return 'ask your operator';
  const [from, to] = (['min_amount', 'max_amount'] as const).map((name) => {
    const minor = owner.settings.perMethod(name, method, currency);
    return minor === undefined ? undefined : formatAmount({ currency, minor });
  });
  if (from === undefined) return to === undefined ? 'no limit' : `up to ${to}`;
  return to === undefined ? `from ${from}` : `${from} to ${to}`;
}
