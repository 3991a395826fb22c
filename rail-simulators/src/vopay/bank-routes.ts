/** The endpoints of the payers' inbox, and the effect of each form. pages.ts has the pages. */
import type { Answer, Reply, Route } from '../kernel/http-server.ts';
import type { Book, BookEntry } from './book.ts';
import { CONDUCTS, isBehaviour } from './conducts.ts';
import { inboxPage, messagePage, unknownPage } from './pages.ts';
import type { VoPay } from './processing.ts';

interface InboxParts {
  readonly vopay: VoPay;
  readonly book: Book;
  /** The sender of the messages. */
  readonly client: string;
}

const MOST_MESSAGES = 50;

export function inboxRoutes(parts: InboxParts): readonly Route[] {
  return [
    { verb: 'GET', path: '/', answer: () => ({ status: 303, body: '', location: '/inbox' }) },
    {
      verb: 'GET',
      path: '/inbox',
      answer: ({ query }) => html(200, inboxPage(emailOf(query), messages(parts, query))),
    },
    { verb: 'GET', path: '/inbox/message', answer: ({ query }) => show(parts, query) },
    { verb: 'POST', path: '/inbox/message', answer: ({ body }) => act(parts, new URLSearchParams(body.toString())) },
  ];
}

const emailOf = (query: URLSearchParams) => (query.get('email') ?? '').trim();

/** Returns the sent messages, newest first. */
function messages({ book }: InboxParts, query: URLSearchParams): readonly BookEntry[] {
  const email = emailOf(query).toLowerCase();
  const sent = book.all().filter((entry) => entry.status !== 'pending');
  return sent
    .filter((entry) => email === '' || entry.email.toLowerCase() === email)
    .reverse()
    .slice(0, MOST_MESSAGES);
}

function find({ book }: InboxParts, fields: URLSearchParams): BookEntry | undefined {
  const found = book.latest(Number(fields.get('id')));
  return found?.status === 'pending' ? undefined : found;
}

function show(parts: InboxParts, query: URLSearchParams): Reply {
  const found = find(parts, query);
  return found === undefined ? html(404, unknownPage()) : html(200, messagePage(found, parts.client));
}

async function act(parts: InboxParts, form: URLSearchParams): Promise<Reply> {
  const found = find(parts, form);
  if (found === undefined) return html(404, unknownPage());
  const acted = await acting(parts, found, form);
  if (acted === 'nothing_asked') return html(400, messagePage(found, parts.client, 'Choose what to do.'));
  const latest = parts.book.latest(found.id) ?? found;
  if (acted === undefined) return html(409, messagePage(latest, parts.client, 'Nothing more can be done here.'));
  if (acted.kind === 'wrong_answer') return html(200, messagePage(acted, parts.client, 'That is not the answer.'));
  return { status: 303, body: '', location: `/inbox/message?id=${found.id}` };
}

/** Permits only the actions that the pages offer. The other behaviours are for tests. */
async function acting(
  { vopay }: InboxParts,
  { id, type }: BookEntry,
  form: URLSearchParams,
): Promise<BookEntry | undefined | 'nothing_asked'> {
  const behaviour = form.get('behaviour');
  if (behaviour === 'expire') return vopay.expire(id);
  if (type === 'Interac Bulk Payout') {
    return behaviour === 'decline' ? vopay.decline(id) : vopay.deposit(id, (form.get('answer') ?? '').trim());
  }
  if (!isBehaviour(behaviour)) return 'nothing_asked';
  const isOffered = behaviour === 'decline' || (behaviour in CONDUCTS && 'bank' in CONDUCTS[behaviour as 'accept']);
  return isOffered ? vopay.act(id, behaviour) : 'nothing_asked';
}

function html(status: number, body: string): Answer {
  return { status, body, contentType: 'text/html; charset=utf-8' };
}
