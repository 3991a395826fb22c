/** The bank's endpoints: the sequence of pages, and the effect of a payer's last click. pages.ts has the pages. */
import { html } from '../kernel/html.ts';
import type { Reply, Route } from '../kernel/http-server.ts';
import type { Book, BookEntry } from './book.ts';
import { type ConductName, isConduct } from './conducts.ts';
import { decidePage, leftPage, logInPage, overPage, unknownPage, WRONG_PASSWORD } from './pages.ts';
import type { TokenIo } from './processing.ts';

export interface BankParts {
  readonly tokenIo: TokenIo;
  readonly book: Book;
  readonly memberId: string;
}

const MOST_FAILURES = 3;

type Step = (payment: BookEntry, fields: URLSearchParams) => Reply | Promise<Reply>;

export function bankRoutes(parts: BankParts): readonly Route[] {
  const at = (step: string, answer: Step): Route => ({
    verb: 'POST',
    path: `/authorize/${step}`,
    answer: ({ body }) => withOpenPayment(parts, new URLSearchParams(body.toString()), answer),
  });
  const logIn: Step = (payment) => html(logInPage(payment, 0));
  return [
    { verb: 'GET', path: '/authorize', answer: ({ query }) => withOpenPayment(parts, query, logIn) },
    at('back', logIn),
    at('login', (payment, fields) => checkCredentials(parts, payment, fields)),
    at('decide', (payment, fields) => {
      const conduct = fields.get('conduct');
      return isConduct(conduct) ? finish(parts, payment, conduct) : html(unknownPage(), 404);
    }),
    at('leave', (payment) => html(leftPage(payment))),
  ];
}

function withOpenPayment(parts: BankParts, fields: URLSearchParams, step: Step): Reply | Promise<Reply> {
  const payment = parts.book.ofSession(fields.get('session') ?? '');
  if (payment === undefined) return html(unknownPage(), 404);
  return payment.status === 'INITIATION_PENDING_REDIRECT_AUTH' ? step(payment, fields) : html(overPage(payment));
}

function checkCredentials(parts: BankParts, payment: BookEntry, fields: URLSearchParams): Reply | Promise<Reply> {
  if (fields.get('password') !== WRONG_PASSWORD) return html(decidePage(payment));
  const failures = Math.min(MOST_FAILURES, (Number.parseInt(fields.get('failures') ?? '0', 10) || 0) + 1);
  return failures < MOST_FAILURES ? html(logInPage(payment, failures)) : finish(parts, payment, 'locked_out');
}

/** Token.io redirects the payer before it has processed the bank's result. */
async function finish({ tokenIo, memberId }: BankParts, payment: BookEntry, conduct: ConductName): Promise<Reply> {
  await tokenIo.act(payment.id, conduct);
  return { status: 303, body: '', contentType: 'text/plain', location: callbackOf(payment, memberId) };
}

/** Returns the payer's return URL with the parameters that Token.io adds. */
export function callbackOf({ callbackUrl, callbackState, id }: BookEntry, memberId: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set('member-id', memberId);
  url.searchParams.set('payment-id', id);
  if (callbackState !== '') url.searchParams.set('state', callbackState);
  return url.href;
}
