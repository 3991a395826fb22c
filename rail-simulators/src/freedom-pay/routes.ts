/** Freedom Pay's endpoints, as a table, with the response of each. */
import { toCents, toText } from '../kernel/amounts.ts';
import { escaped } from '../kernel/html.ts';
import type { Answer, Reply, Route } from '../kernel/http-server.ts';
import type { BookEntry } from './book.ts';
import { ERRORS, type Failure, sentenceOf } from './errors.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, FreedomPay, FreedomPayWorks } from './processing.ts';
import { readPayout } from './requests.ts';
import { type Fields, isSigned, type Signing, signed } from './signature.ts';

interface ServedParts extends Pick<FreedomPayWorks, 'book' | 'faults' | 'clock'>, Account {
  readonly freedomPay: FreedomPay;
}

type Work = (parts: ServedParts, fields: Fields) => Promise<Fields | Failure> | Fields | Failure;

export function apiRoutes(parts: ServedParts): readonly Route[] {
  const { faults } = parts;
  const post = (path: string, modeOf: (fields: Fields) => string, work: Work): Route => ({
    verb: 'POST',
    path,
    answer: ({ body }) => {
      const fields = Object.fromEntries(new URLSearchParams(body.toString()));
      return answer(parts, { script: path.slice(path.lastIndexOf('/') + 1), fields, mode: modeOf(fields), work });
    },
  });
  return [
    post('/g2g/p2p2nonreg', ({ pg_amount }) => faultsOf(faults, readAmount(pg_amount)).payouts, payOut),
    post('/api/payment_status2', () => faults.statuses, showStatus),
    post('/g2g/balance_status', () => 'answer', showBalance),
  ];
}

function readAmount(text = ''): string {
  return toText(toCents(text) ?? 0n);
}

interface Call {
  readonly script: string;
  readonly fields: Fields;
  readonly mode: string;
  readonly work: Work;
}

/** The modes that respond without processing the request. All other modes process it first. */
const INSTEAD: Readonly<Record<string, Failure | 'never'>> = {
  lose: 'never',
  answer_error: { error: 9999 },
  not_yet: { error: 11068 },
  refuse: { error: 9403 },
  not_activated: { error: 9992 },
};

async function answer(parts: ServedParts, { script, fields, mode, work }: Call): Promise<Reply> {
  const { merchantId, payoutSecret, faults } = parts;
  const replied = (outcome: Fields | Failure) => {
    const content = isFailure(outcome) ? failed(outcome, parts.clock.now()) : outcome;
    return xmlAnswer(signed(script, content, payoutSecret, signingOf(outcome, faults)));
  };
  if (fields['pg_merchant_id'] !== merchantId) return replied({ error: 9998 });
  if (!isSigned(script, fields, payoutSecret)) return replied({ error: 1100 });
  const other = INSTEAD[mode];
  if (other !== undefined) return other === 'never' ? other : replied(other);
  const outcome = await work(parts, fields);
  if (mode === 'accept_unanswered') return 'never';
  if (mode === 'accept_500') return { status: 500, body: { error: 'internal' } };
  return replied(mode === 'accept_and_answer_error' ? { error: 9999 } : outcome);
}

/** Returns a response as flat XML. */
function xmlAnswer(fields: Fields): Answer {
  const content = Object.entries(fields).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return {
    status: 200,
    contentType: 'application/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="utf-8"?>\n<response>${content.join('')}</response>\n`,
  };
}

function isFailure(outcome: Fields | Failure): outcome is Failure {
  return 'error' in outcome;
}

function failed({ error, about }: Failure, now: number): Fields {
  return {
    pg_status: 'error',
    pg_error_code: String(error),
    pg_error_description: about === undefined ? ERRORS[error] : `${ERRORS[error]}: ${about}`,
    pg_datetime: datetime(now),
  };
}

/** Signs every response except two errors. */
function signingOf(outcome: Fields | Failure, { signatures }: Faults): Signing {
  return isFailure(outcome) && (outcome.error === 9998 || outcome.error === 11068) ? 'none' : signatures;
}

const payOut: Work = async (parts, fields) => {
  const request = readPayout(fields);
  if ('error' in request) return request;
  const accepted = await parts.freedomPay.accept(request);
  if ('error' in accepted) return accepted;
  return accepted.status === 'error' ? declinedView(accepted) : acceptedView(parts, accepted);
};

function declinedView({ code, at }: BookEntry): Fields {
  return {
    pg_status: 'error',
    pg_error_code: code,
    pg_error_description: sentenceOf(code),
    pg_datetime: datetime(Date.parse(at)),
  };
}

function acceptedView({ book, merchantId, faults }: ServedParts, entry: BookEntry): Fields {
  const paidWord = faults.wording === 'list' ? 'success' : 'ok';
  const at = datetime(Date.parse(entry.at));
  return {
    pg_payment_id: String(entry.paymentId),
    pg_merchant_id: merchantId,
    pg_order_id: entry.orderId,
    pg_status: entry.status === 'success' ? paidWord : 'pending',
    pg_balance: toText(book.float()),
    pg_payment_amount: entry.amount,
    pg_payment_date: at,
    pg_reference: `R${entry.paymentId}`,
    pg_datetime: at,
  };
}

const showStatus: Work = ({ book, merchantId, faults, clock }, fields) => {
  const found = book.ofOrder(fields['pg_order_id'] ?? '');
  if (found === undefined && faults.statuses !== 'number_zero') return { error: 11068 };
  const about = { pg_merchant_id: merchantId, pg_order_id: fields['pg_order_id'] ?? '', pg_status: 'ok' };
  const now = datetime(clock.now());
  if (found === undefined) return { ...about, pg_payment_id: '0', pg_payment_status: 'process', pg_datetime: now };
  const { paymentId, status, amount, code } = found;
  const failure = code === '' ? {} : { pg_error_code: code, pg_error_description: sentenceOf(code) };
  return {
    ...about,
    pg_payment_id: String(paymentId),
    pg_payment_status: status,
    pg_amount: amount,
    pg_net_amount: amount,
    ...failure,
    pg_datetime: now,
  };
};

const showBalance: Work = ({ book, faults }, fields) => {
  if (fields['pg_currency'] !== 'KZT') return { error: 9403, about: 'pg_currency' };
  return { pg_balance: faults.empty ? '0' : toText(book.float()), pg_status: 'ok', pg_currency: 'KZT' };
};

/** Formats a time, such as `2026-11-20T12:00:00+00:00`. */
function datetime(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19)}+00:00`;
}
