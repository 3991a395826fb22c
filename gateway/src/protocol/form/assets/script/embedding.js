/**
 * Reports the page's height and the payment's end to the page around it. Only the merchant's registered origins can
 * receive a message, and it holds nothing else.
 */

import { body, find, isFramed } from './page-elements.js';

export function notifyEmbedder() {
  const origins = (body.dataset.embeddingOrigins ?? '').split(' ').filter(Boolean);
  const page = find('.page');
  if (!isFramed || !page) return;
  // Not every browser names the surrounding origins. A message to another origin is not delivered.
  const around = location.ancestorOrigins?.[0];
  const receivers = around === undefined ? origins : origins.filter((origin) => origin === around);
  const post = (message) => {
    for (const origin of receivers) window.parent.postMessage(message, origin);
  };
  new ResizeObserver(() => {
    post({ type: 'payment_form.height', height: Math.ceil(page.getBoundingClientRect().height) });
  }).observe(page);
  const { end } = find('main').dataset;
  if (end) post({ type: 'payment_form.end', result: end });
}
