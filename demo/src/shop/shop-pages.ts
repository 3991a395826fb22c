/** The pages of the demo's shop. shop.ts decides their content. */
import type { Delivery } from '../delivery.ts';
import type { Fields } from '../merchant-signatures.ts';
import type { Offer, Sale, Shelf } from './offer.ts';
import { type Answer, drawing, escaped, facts, page } from './page-frame.ts';

interface Sold extends Sale {
  readonly callback: Delivery | undefined;
}

interface HomeView {
  readonly shelves: readonly Shelf[];
  /** The sold orders, the newest first. */
  readonly sold: readonly Sold[];
  /** The example parameters of a button. */
  readonly example: Fields;
}

export function homePage({ shelves, sold, example }: HomeView): Answer {
  const products = shelves.map((shelf) => `<li class="card">${productOf(shelf)}</li>`).join('');
  return page({
    title: 'Five ways to pay',
    content: `<h1>Five ways to pay</h1>
<p class="lead">Each product is paid in another way. A button makes a new order, signs it, and leads you to the gateway’s
payment form; behind the form, simulators play the banks. Afterwards you see what your browser received, and what the shop received.</p>
<ul class="products">${products}</ul>${ordersOf(sold)}
<details class="card part"><summary>What a button sends</summary>
<p>The address of the form with these parameters. <code>sign</code> covers four of them and proves that it was the shop that
asked: the base64 of the MD5 of <code>amount:currency:merchant:order:key</code>, where the key is the form key.</p>${facts(example)}</details>`,
  });
}

/** SVG paths by payment type. */
const ICONS: Readonly<Record<string, string>> = {
  card: 'M3 6h18v12H3zM3 10h18M6.5 14.5h4',
  open_banking: 'M3 9.5 12 4l9 5.5zM5 10v7m4.7-7v7m4.6-7v7M19 10v7M3 20h18',
  e_transfer: 'M3 6h18v12H3zM3 7l9 6.5L21 7',
  instant_bank: 'M13 3 5 13.5h6L10 21l8-10.5h-6z',
  bank_transfer_iframe: 'M3 5h18v14H3zM3 9h18M8 12.5h8v3.5H8z',
};

function productOf({ offer, simulatorUrl }: Shelf): string {
  const { paymentType, title, item, amount, currency, todo, tries, bank } = offer;
  const rows = tries.map(([what, outcome]) => `<dt>${escaped(what)}</dt><dd>${escaped(outcome)}</dd>`).join('');
  const beside = bank
    ? ` <a href="${escaped(simulatorUrl + bank.path)}" target="_blank" rel="noreferrer">Open ${escaped(bank.name)}</a>`
    : '';
  return `<div class="kind">${drawing(ICONS[paymentType] ?? '')}<h2>${escaped(title)}</h2></div>
<p class="product"><span>${escaped(item)}</span><span class="price">${amount} ${currency}</span></p>
<p class="todo">${escaped(todo)}${beside}</p><dl class="tries">${rows}</dl>
<a class="button" href="/shop/${paymentType}">Pay ${amount} ${currency}</a>`;
}

function ordersOf(sold: readonly Sold[]): string {
  if (sold.length === 0) return '';
  const rows = sold.map(
    ({ order, offer, callback }) =>
      `<li><span><code>${escaped(order)}</code> ${escaped(offer.item)}, ${escaped(offer.title.toLowerCase())}</span>${stateOf(callback)}</li>`,
  );
  return `<section class="card part"><h2>Your orders</h2><ul class="orders">${rows.join('')}</ul></section>`;
}

function stateOf(callback: Delivery | undefined): string {
  if (!callback) return '<span class="state wait">no callback yet</span>';
  const isPaid = callback.fields['co_inv_st'] === 'success';
  return `<span class="state ${isPaid ? 'good' : 'bad'}">callback: ${escaped(callback.fields['co_inv_st'] ?? '')}</span>`;
}

interface ResultView {
  /** The parameters of the URL. */
  readonly fields: Fields;
  readonly order: string;
  /** Undefined for an order from an earlier start. */
  readonly offer: Offer | undefined;
  readonly callback: Delivery | undefined;
  readonly merchantId: string;
}

export function resultPage(view: ResultView): Answer {
  const { fields, order, offer, callback, merchantId } = view;
  const isPaid = fields['co_inv_st'] === 'success';
  const again = offer
    ? `<a class="button" href="/shop/${offer.paymentType}">${isPaid ? 'Buy another' : 'Try again'}</a>`
    : '';
  return page({
    title: isPaid ? 'Thank you' : 'Not paid',
    content: `<h1>${isPaid ? 'Thank you for your order' : 'You came back without paying'}</h1>
<p class="lead">${escaped(fields['item_name'] ?? 'Your order')}, ${escaped(fields['amount'] ?? '')} ${escaped(fields['currency_code'] ?? '')}</p>
<section class="card part"><h2>The callback to the shop <span role="status">${stateOf(callback)}</span></h2>${callbackPart(view, isPaid)}</section>
<section class="card part"><h2>What your browser brought along</h2>
<p>Anybody can type such an address, so a shop shows it and believes only the callback.</p>${facts(fields)}</section>
${isTransaction(fields) ? `<p>What happened to it, in a second terminal: <code>npx gateway deposit show ${escaped(merchantId)} ${escaped(order)}</code></p>` : ''}
<div class="buttons">${again}<a class="button plain" href="/shop">Back to the shop</a></div>`,
    ...(callback ? {} : { script: waitFor(order) }),
  });
}

/** If the payer leaves the form before the first attempt, there is no transaction. */
function isTransaction(fields: Fields): boolean {
  return 'co_inv_id' in fields;
}

function callbackPart({ callback, fields }: ResultView, isPaid: boolean): string {
  if (callback)
    return `<p>By a callback, whose <code>co_sign</code>, <code>X-Sign</code> and <code>webhook-signature</code> hold:</p>${facts(callback.fields)}`;
  if (!isTransaction(fields)) return '<p>Nothing: you tried no payment, so there is no transaction.</p>';
  const why = isPaid
    ? 'the payer’s bank has agreed, and its money is on the way.'
    : 'the gateway waits until it is sure that no money comes, and then calls back.';
  return `<p>Nothing yet: ${why}</p><p>This page shows the callback as soon as it comes<noscript>, once you load it again</noscript>.</p>`;
}

const LOOK_EVERY_MS = 1_500;

function waitFor(order: string): string {
  const address = JSON.stringify(`/shop/orders/${encodeURIComponent(order)}`);
  return `setInterval(async () => {
  const answer = await fetch(${address}).catch(() => undefined);
  if (answer && (await answer.text()) === 'called back') location.reload();
}, ${LOOK_EVERY_MS});`;
}

export function missingPage(): Answer {
  return page({
    title: 'Not here',
    status: 404,
    content: '<h1>Page not found</h1><div class="buttons"><a class="button" href="/shop">To the shop</a></div>',
  });
}

export function notYetPage(): Answer {
  return page({
    title: 'One moment',
    status: 503,
    content: '<h1>The gateway is starting</h1><p class="lead">Load this page again in a moment.</p>',
  });
}
