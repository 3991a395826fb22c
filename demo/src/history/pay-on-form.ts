/** A customer of the history on the hosted form, who opens the shop's link and enters a card. */
import { formLink, formParameters, type ShopSender } from '../shop/form-link.ts';
import type { Offer } from '../shop/offer.ts';
import type { SendRequest } from './requests.ts';

const CARD = { card_number: '4111 1111 1111 1111', card_expiry: '11 / 38', card_cvv: '739', card_holder: 'ANA SOUZA' };
const HTML = { accept: 'text/html', 'user-agent': 'Demo history' };
const POSTED = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };

export async function payOnForm(request: SendRequest, sender: ShopSender, offer: Offer, order: string): Promise<void> {
  const link = formLink({ ...sender, url: '' }, formParameters(sender, offer, order, 'http://127.0.0.1/shop'));
  const opened = await request(link, { headers: HTML });
  const { location: url } = opened;
  if (!url) throw new Error(`the history: the form of ${order} was rejected: ${opened.status} ${opened.text}`);
  const page = await request(url, { headers: HTML });
  const form = page.text
    .match(/<form method="post"[\s\S]*?<\/form>/g)
    ?.find((each) => each.includes('name="act" value="pay"'));
  const hidden = [...(form ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [name, value],
  );
  if (hidden.length === 0) throw new Error(`the history: no card form for ${order}: ${page.status}`);
  const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...CARD }).toString();
  const paid = await request(url, { method: 'POST', headers: POSTED, body });
  if (paid.status >= 400) throw new Error(`the history: the card of ${order} was rejected: ${paid.status}`);
}
