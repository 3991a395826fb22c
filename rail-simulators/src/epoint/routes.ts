/** Epoint's endpoints for clients, with the response of each. */
import { toCents, toText } from '../kernel/amounts.ts';
import { ok } from '../kernel/book-page.ts';
import type { Fields } from '../kernel/fields.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import type { Book } from './book.ts';
import { conductOf, isConduct } from './conducts.ts';
import { open } from './envelope.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, Epoint, EpointWorks } from './processing.ts';
import { payoutView, statusView } from './views.ts';

interface ServedParts extends Pick<EpointWorks, 'book' | 'faults'> {
  readonly epoint: Epoint;
  readonly account: Account;
}

type Work = (parts: ServedParts, fields: Fields) => Reply | Promise<Reply>;

export function apiRoutes(parts: ServedParts): readonly Route[] {
  const post = (path: string, work: Work): Route => ({
    verb: 'POST',
    path: `/api/1/${path}`,
    answer: (request) => answer(parts, request, work),
  });
  return [
    post('card-registration', askForCard),
    post('refund-request', payOut),
    post('get-status', showStatus),
    { verb: 'GET', path: '/api/heartbeat', answer: () => ok({ status: 'ok' }) },
  ];
}

function answer(parts: ServedParts, { body }: ProviderRequest, work: Work): Reply | Promise<Reply> {
  const fields = open(new URLSearchParams(body.toString()), parts.account.privateKey);
  if (fields === undefined) return ok({ status: 'server_error', message: 'Signature did not match' });
  if (fields['public_key'] !== parts.account.publicKey) return refused('public_key is not known');
  return work(parts, fields);
}

const LANGUAGES = ['az', 'en', 'ru'];

async function askForCard({ epoint }: ServedParts, { language, refund }: Fields): Promise<Reply> {
  if (!LANGUAGES.includes(String(language))) return refused('language is required');
  if (refund !== '1') return refused('this simulator registers only cards that receive payouts');
  const { cardId } = await epoint.askForCard();
  return ok({ status: 'success', redirect_url: `https://epoint.az/simulated/card/${cardId}`, card_id: cardId });
}

async function payOut(parts: ServedParts, fields: Fields): Promise<Reply> {
  const { epoint, book, faults } = parts;
  const amount = toText(toCents(String(fields['amount'])) ?? 0n);
  const mode = faultsOf(faults, amount).payouts;
  if (mode === 'lose') return 'never';
  if (mode === 'answer_error') return refused('the request is at fault');
  if (mode === 'server_error') return ok({ status: 'server_error', message: 'try later' });
  const fault = faultOf(book, fields);
  if (fault !== undefined || !isConduct(mode)) return refused(fault ?? '');
  const [cardId, orderId] = [String(fields['card_id']), String(fields['order_id'])];
  const described = { description: String(fields['description'] ?? '') };
  const asked = { cardId, orderId, amount, ...described, cardMask: book.card(cardId)?.mask ?? '' };
  const paid = await epoint.pay(asked, mode);
  switch (conductOf(mode).reply) {
    case 'never':
      return 'never';
    case 'error_500':
      return { status: 500, body: { error: 'internal' } };
    case 'error':
      return refused('try later');
    default:
      return ok(payoutView(paid));
  }
}

function faultOf(book: Book, fields: Fields): string | undefined {
  const missing = ['language', 'card_id', 'order_id', 'amount', 'currency'].find((name) => !fields[name]);
  if (missing !== undefined) return `${missing} is required`;
  if (!LANGUAGES.includes(String(fields['language']))) return 'language is not known';
  if (String(fields['order_id']).length > 255) return 'order_id is too long';
  if (String(fields['description'] ?? '').length > 1_000) return 'description is too long';
  if (fields['currency'] !== 'AZN') return 'currency is not accepted';
  if (toCents(String(fields['amount'])) === undefined) return 'amount is not accepted';
  return book.card(String(fields['card_id']))?.mask ? undefined : 'card_id is not registered';
}

function showStatus({ book, faults }: ServedParts, { transaction, order_id }: Fields): Reply {
  if (faults.status === 'server_error') return ok({ status: 'server_error', message: 'try later' });
  const byOrder = faults.status === 'by_either' && order_id !== undefined ? book.payoutOf(String(order_id)) : undefined;
  const found = book.payout(String(transaction)) ?? byOrder;
  return found === undefined ? refused('the payment is not found') : ok(statusView(found));
}

const refused = (message: string): Reply => ok({ status: 'error', message, trace_id: 'simulated' });
