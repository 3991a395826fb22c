/**
 * The demo merchant's shop, in which the reader is a customer. It has a product per payment type, creates an order at every
 * click, and shows the callbacks afterwards. It trusts only callbacks. This file decides the content; shop-pages.ts writes the
 * pages.
 */
import type { Delivery } from '../delivery.ts';
import { formLink, formParameters, type ShopSender } from './form-link.ts';
import type { Offer, Sale, Shelf } from './offer.ts';
import type { Answer } from './page-frame.ts';
import { homePage, missingPage, notYetPage, resultPage } from './shop-pages.ts';

export interface ShopParts {
  readonly shelves: readonly Shelf[];
  /** Undefined until the gateway serves. */
  readonly sender: () => ShopSender | undefined;
  /** Returns the callback of an order once one with valid signatures has arrived. */
  readonly callbackOf: (order: string) => Delivery | undefined;
  /** The start time in milliseconds since the epoch. It makes orders unique across starts. */
  readonly startedAt: number;
}

export const SHOP_PATH = '/shop';

const MOST_SHOWN = 10;

/** Returns a function that responds to URLs below `/shop`. */
export function createShop(parts: ShopParts): (url: URL) => Answer {
  const sales: Sale[] = [];
  let count = 0;
  const nextOrder = () => `shop-${parts.startedAt.toString(36)}-${++count}`;

  const sell = (offer: Offer, sender: ShopSender, shopUrl: string): Answer => {
    const order = nextOrder();
    sales.unshift({ order, offer });
    sales.splice(MOST_SHOWN);
    const location = formLink(sender, formParameters(sender, offer, order, shopUrl));
    return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
  };

  return ({ origin, pathname, searchParams }) => {
    const sender = parts.sender();
    if (!sender) return notYetPage();
    const shopUrl = `${origin}${SHOP_PATH}`;
    const [name = '', order = ''] = pathname.slice(SHOP_PATH.length).split('/').filter(Boolean);
    const shelf = parts.shelves.find(({ offer }) => offer.paymentType === name);
    if (shelf) return sell(shelf.offer, sender, shopUrl);
    if (name === 'orders') return callbackState(parts.callbackOf(order));
    if (name === 'success' || name === 'fail') return result(parts, sales, searchParams, sender);
    if (name !== '') return missingPage();
    const example = parts.shelves[0];
    const parameters = example && formParameters(sender, example.offer, 'shop-example', shopUrl);
    const sold = sales.map((sale) => ({ ...sale, callback: parts.callbackOf(sale.order) }));
    return homePage({ shelves: parts.shelves, sold, example: parameters ?? {} });
  };
}

/** Returns the response to an open page that waits for the callback. */
function callbackState(callback: Delivery | undefined): Answer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 200, headers, body: callback ? 'called back' : 'waiting' };
}

/** Shows the parameters of the URL as text only, because they come from the customer's browser. */
function result(parts: ShopParts, sales: readonly Sale[], query: URLSearchParams, sender: ShopSender): Answer {
  const order = query.get('order_no') ?? '';
  return resultPage({
    fields: Object.fromEntries(query),
    order,
    offer: sales.find((sale) => sale.order === order)?.offer,
    callback: parts.callbackOf(order),
    merchantId: sender.merchantId,
  });
}
