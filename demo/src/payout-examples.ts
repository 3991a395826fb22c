/**
 * The demo merchant's messages: signed requests of each kind, as objects and as `curl` commands to paste. The signed fields
 * follow the API (Authentication: Payouts). No money moves, and all accounts are invented.
 */
import { type Fields, md5Sign } from './merchant-signatures.ts';

export interface Sender {
  /** The gateway's URL. */
  readonly url: string;
  readonly merchantId: string;
  /** The API key. */
  readonly key: string;
}

export interface SignedRequest {
  readonly url: string;
  readonly body: Fields;
}

export interface Example {
  readonly title: string;
  readonly method: number;
  readonly amount: string;
  readonly currency: string;
  readonly fields: Fields;
}

const CARD_SIGNED = ['merchant', 'method', 'payout_id', 'account', 'amount', 'currency'];

/** The signed fields of methods that sign more than the six of the card methods. */
const SIGNED: Readonly<Record<number, readonly string[] | 'all'>> = {
  26: [...CARD_SIGNED, 'customs_phone', 'customs_email', 'customs_ifsc', 'customs_ip'],
  34: 'all',
  92: [...CARD_SIGNED, 'full_name', 'customs_phone', 'customs_email'],
};

export const VISA_CARD = '4111111111111111';
export const MASTERCARD = '5555555555554444';

/** `successCard` is the only card with which the sandbox pays. */
export function sandboxExample(successCard: string): Example {
  const title = 'card TST (70): paid in the response; every other card is declined';
  return { title, method: 70, amount: '10.00', currency: 'TST', fields: { account: successCard } };
}

/** The example that the demo shows step by step at startup. */
export const CARD_EUR: Example = {
  title: 'card EUR (9): authorised first, paid after 2 s',
  method: 9,
  amount: '25.00',
  currency: 'EUR',
  fields: { account: MASTERCARD, full_name: 'Jan Kowalski' },
};

export function payoutRequest(sender: Sender, example: Example, payoutId: string): SignedRequest {
  const { method, amount, currency, fields } = example;
  const unsigned = { merchant: sender.merchantId, method: String(method), payout_id: payoutId, amount, currency };
  return signed(sender, '/merchant/api/payout_send', { ...unsigned, ...fields }, SIGNED[method] ?? CARD_SIGNED);
}

export function statusRequest(sender: Sender, payoutId: string): SignedRequest {
  return signed(sender, '/merchant/api/payout_status', { merchant: sender.merchantId, payout_id: payoutId });
}

export function balanceRequest(sender: Sender, currency: string): SignedRequest {
  return signed(sender, '/payment/balance', { merchant: sender.merchantId, currency });
}

/** Requests all entries of a kind in a currency, for a year from `from`. */
export function listRequest(
  sender: Sender,
  type: 'withdrawal' | 'deposit',
  currency: string,
  from: Date,
): SignedRequest {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const to = new Date(Date.UTC(from.getUTCFullYear() + 1, from.getUTCMonth(), from.getUTCDate()));
  const period = { start_date: day(from), finish_date: day(to) };
  const filter = { currency, order: '0', status: 'all', type };
  return signed(sender, '/api/payment-list', { merchant: sender.merchantId, ...filter, ...period });
}

function signed(
  { url, key }: Sender,
  path: string,
  fields: Fields,
  names: readonly string[] | 'all' = 'all',
): SignedRequest {
  const covered = Object.entries(fields).filter(([name]) => names === 'all' || names.includes(name));
  return { url: `${url}${path}`, body: { ...fields, sign: md5Sign(Object.fromEntries(covered), key) } };
}

/** Formats a request for a POSIX shell. The demo's values contain no single quotes. */
export function asCurl({ url, body }: SignedRequest): string {
  return `curl -s -w '\\n' ${url} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}
