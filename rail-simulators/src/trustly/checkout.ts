/** The checkout endpoints: the sequence of pages, and the effect of a payer's last click. pages.ts has the pages. */
import { html } from '../kernel/html.ts';
import type { Answer, Reply, Route } from '../kernel/http-server.ts';
import type { Book, BookEntry } from './book.ts';
import { type ConductName, isConduct } from './conducts.ts';
import { agreePage, bankPage, isConductOnPage, logInPage, overPage, unknownPage } from './pages.ts';
import type { Trustly } from './processing.ts';

interface CheckoutParts {
  readonly trustly: Trustly;
  readonly book: Book;
}

/** The only code that a bank rejects. */
const WRONG_CODE = '0000';

export function checkoutRoutes(parts: CheckoutParts): readonly Route[] {
  const at = (step: string, answer: Step): Route => ({
    verb: 'POST',
    path: `/checkout/${step}`,
    answer: ({ body }) => withOpenOrder(parts, new URLSearchParams(body.toString()), answer),
  });
  return [
    { verb: 'GET', path: '/checkout', answer: ({ query }) => withOpenOrder(parts, query, chooseBank) },
    at('bank', ({ order, conduct }) => html(logInPage(order, conduct, false))),
    at('login', ({ order, conduct, fields }) =>
      html(fields.get('code') === WRONG_CODE ? logInPage(order, conduct, true) : agreePage(order, conduct)),
    ),
    at('agree', ({ order, conduct }) => finish(parts, order, conduct)),
    at('cancel', ({ order }) => finish(parts, order, 'cancel')),
  ];
}

interface Visit {
  readonly order: BookEntry;
  readonly conduct: ConductName;
  readonly fields: URLSearchParams;
}

type Step = (visit: Visit) => Reply | Promise<Reply>;

const chooseBank: Step = ({ order }) => html(bankPage(order));

function withOpenOrder({ book }: CheckoutParts, fields: URLSearchParams, step: Step): Reply | Promise<Reply> {
  const order = book.latest(fields.get('OrderID') ?? '');
  if (order === undefined || order.sessionId !== fields.get('SessionID')) return html(unknownPage(), 404);
  if (order.state !== 'open') return over(order);
  const conduct = fields.get('conduct') ?? 'pay';
  return isConduct(conduct) && isConductOnPage(conduct) ? step({ order, conduct, fields }) : html(unknownPage(), 404);
}

async function finish({ trustly }: CheckoutParts, order: BookEntry, conduct: ConductName | 'cancel'): Promise<Reply> {
  await trustly.act(order.orderId, conduct);
  const location = conduct === 'cancel' ? order.failUrl : order.successUrl;
  return { status: 303, body: '', contentType: 'text/plain', location };
}

function over({ state, failUrl, successUrl, urlTarget }: BookEntry): Answer {
  return html(overPage(state === 'cancelled' ? failUrl : successUrl, urlTarget));
}
