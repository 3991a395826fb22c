/**
 * What the demo merchant sends: signed requests of each kind, as objects and as a `curl` to paste. The signed fields are
 * the interface's (Authentication: Payouts); money goes nowhere, and no account here is anybody's.
 */
import { type Fields, md5Sign } from './merchant-signatures.ts';

export interface Sender {
  /** Of the gateway. */
  readonly url: string;
  readonly merchantId: string;
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

/** Fields under the signature, for the methods that have more than a card's six. */
const SIGNED: Readonly<Record<number, readonly string[] | 'all'>> = {
  26: [...CARD_SIGNED, 'customs_phone', 'customs_email', 'customs_ifsc', 'customs_ip'],
  34: 'all',
  92: [...CARD_SIGNED, 'full_name', 'customs_phone', 'customs_email'],
};

const CARD = { account: '4111111111111111' };

/** `successCard`: the one card on which the sandbox pays. */
export function sandboxExample(successCard: string): Example {
  const title = 'card, sandbox (70): success at once; any other card is Blocked';
  return { title, method: 70, amount: '10.00', currency: 'TST', fields: { account: successCard } };
}

export const CARD_EUR: Example = {
  title: 'card EUR (9)',
  method: 9,
  amount: '25.00',
  currency: 'EUR',
  fields: CARD,
};

/** One of each kind of account, and one that the bank declines. */
export const BANK_EXAMPLES: readonly Example[] = [
  CARD_EUR,
  { ...CARD_EUR, title: 'card EUR (9), declined by the bank because of its .51', amount: '10.51' },
  {
    title: 'bank account INR (26)',
    method: 26,
    amount: '100.00',
    currency: 'INR',
    fields: {
      account: '50100012345678',
      customs_phone: '+919876543210',
      customs_email: 'r@example.com',
      customs_ifsc: 'HDFC0000001',
      customs_ip: '203.0.113.7',
    },
  },
  {
    title: 'IBAN UAH (34)',
    method: 34,
    amount: '100.00',
    currency: 'UAH',
    fields: {
      account: 'UA213223130000026007233566001',
      full_name: 'Ivan P',
      customs_card: '5168742231234562',
      customs_inn: '3184710691',
    },
  },
  {
    title: 'e-transfer CAD (92)',
    method: 92,
    amount: '100.00',
    currency: 'CAD',
    fields: {
      account: 'jo@example.com',
      full_name: 'Jo Do',
      customs_phone: '+14165550123',
      customs_email: 'jo@example.com',
    },
  },
  {
    title: 'mobile KZT (24)',
    method: 24,
    amount: '500.00',
    currency: 'KZT',
    fields: { account: '77011234567', full_name: 'Dana Akhmetova' },
  },
];

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

/** Everything of a kind in a currency from `from` on, for a year. */
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

/** For a POSIX shell; no value of ours holds a single quote. */
export function asCurl({ url, body }: SignedRequest): string {
  return `curl -s -w '\\n' ${url} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}
