/**
 * A merchant's receiver with at most one planted fault, and its book. Each URL `/<fault>/callback` is a separate receiver;
 * `/good/…` has no fault.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { DOCUMENTED_KEY } from '../../../src/domain/signature-doctor/examination.ts';

export const KEYS = { api: 'a-key-of-the-tests-1', old: 'an-old-key-of-the-tests', form: 'a-form-key-of-the-tests' };

type Fields = Readonly<Record<string, string>>;

interface Shop {
  readonly fault: string;
  readonly book: string[];
  readonly known: Set<string>;
  last: string;
}

export interface PlantedReceiver {
  url(fault: string, page: 'callback' | 'event' | 'return' | 'book'): URL;
  close(): Promise<void>;
}

export async function startPlantedReceiver(): Promise<PlantedReceiver> {
  const shops = new Map<string, Shop>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop');
    const [, fault = '', page = ''] = pathname.split('/');
    const shop = shops.get(fault) ?? { fault, book: [], known: new Set(), last: '' };
    shops.set(fault, shop);
    serve(shop, page, searchParams, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (fault, page) => new URL(`http://127.0.0.1:${port}/${fault}/${page}`),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function serve(
  shop: Shop,
  page: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (page === 'book') return void response.end(shop.book.join('\n'));
  if (page === 'return') {
    if (shop.fault === 'delivers_on_return') shop.book.push(`deposit ${query.get('order_no')} success 100.00 EUR`);
    return void response.end('thank you');
  }
  const body = await readBody(shop, request);
  const answer = page === 'event' ? answerEvent(shop, body, request) : await answerPayment(shop, body, request);
  if (answer === null) return;
  const [status, text] = ANSWERS[shop.fault]?.(answer) ?? answer;
  response.writeHead(status, shop.fault === 'redirects' ? { location: '/login' } : {}).end(text);
}

type Reply = readonly [status: number, text: string];

/** The faults in the response. */
const ANSWERS: Readonly<Record<string, (answer: Reply) => Reply>> = {
  answers_json: (answer) => (answer[0] === 200 ? [200, '{"ok":true}'] : answer),
  answers_nothing: (answer) => (answer[0] === 200 ? [204, ''] : answer),
  redirects: () => [302, ''],
  fails: () => [500, 'oops'],
};

async function readBody(shop: Shop, request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
      if (shop.fault === 'reads_one_piece') break;
    }
  } catch (error) {
    if (shop.fault === 'remembers_before_verifying') remember(shop, Buffer.concat(chunks));
    throw error;
  }
  return Buffer.concat(chunks);
}

function remember(shop: Shop, body: Buffer): void {
  shop.known.add(`payout ${fieldsOf(shop, body, '')['payout_id']}`);
}

function fieldsOf({ fault }: Shop, body: Buffer, contentType: string): Fields {
  const text = body.toString('utf8');
  if (fault === 'loose_types' && contentType === 'application/json') return JSON.parse(text);
  if (fault === 'decodes_twice') return Object.fromEntries(new URLSearchParams(decodeURIComponent(text)));
  const written = fault === 'keeps_plus' ? text.replaceAll('+', '%2B') : text;
  return Object.fromEntries(new URLSearchParams(written));
}

function md5(fields: Fields, key: string): string {
  const values = Object.keys(fields)
    .sort()
    .map((name) => fields[name]);
  return createHash('md5')
    .update([...values, key].join(':'))
    .digest('base64');
}

const LISTED = /^co_(?:inv_id|inv_crt|inv_prc|inv_st|order_no|merchant_id|merchant_uuid|amount|cur|base_.*|to_wlt)$/;

/** Returns null, or the signature that would be valid. */
function faultOfSignature({ fault }: Shop, all: Fields): string | null {
  const { sign, co_sign, ...rest } = all;
  const given = co_sign ?? sign;
  const isListed = ([name]: [string, string]) => !name.startsWith('co_') || LISTED.test(name);
  const fields = fault === 'signs_a_list_of_fields' ? Object.fromEntries(Object.entries(rest).filter(isListed)) : rest;
  const right = md5(fields, KEYS.api);
  const isRight = MATCHES[fault]?.(given, right, fields) ?? false;
  const keys = fault === 'knows_one_key' ? [KEYS.api] : [KEYS.api, KEYS.old, ...(MORE_KEYS[fault] ?? [])];
  return isRight || keys.some((key) => isSame(given, md5(fields, key))) ? null : right;
}

function isSame(given: string | undefined, right: string): boolean {
  return given?.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right));
}

const MORE_KEYS: Readonly<Record<string, readonly string[]>> = {
  has_no_key: [''],
  keeps_the_example: [DOCUMENTED_KEY],
  accepts_the_form_key: [KEYS.form],
};

/** The incorrect comparisons. */
const MATCHES: Readonly<Record<string, (given: string | undefined, right: string, fields: Fields) => boolean>> = {
  verifies_nothing: () => true,
  verifies_what_is_signed: (given) => given === undefined,
  verifies_what_is_not_empty: (given) => given === '',
  accepts_any_signature: (given) => given?.length === 24,
  compares_the_beginning: (given, right) => given !== undefined && given !== '' && right.startsWith(given),
  ignores_letter_case: (given, right) => String(given).toLowerCase() === right.toLowerCase(),
  loose_types: (given) => (given as unknown) === true,
  accepts_an_empty_body: (_given, _right, fields) => Object.keys(fields).length === 0,
  accepts_what_it_cannot_read: (_given, _right, fields) => Object.keys(fields).length === 1,
};

async function answerPayment(shop: Shop, body: Buffer, request: IncomingMessage): Promise<Reply | null> {
  const { fault } = shop;
  const fields = fieldsOf(shop, body, request.headers['content-type'] ?? '');
  const isDeposit = fields['co_inv_id'] !== undefined;
  const status = (isDeposit ? fields['co_inv_st'] : fields['status']) ?? '';
  const right = faultOfSignature(shop, fields);
  if (fault === 'records_before_verifying') record(shop, fields, isDeposit, status);
  if (right !== null) return [400, fault === 'shows_the_signature' ? `expected ${right}` : 'invalid signature'];
  if (fault === 'hangs_on_bad_results' && status !== 'Success' && status !== 'success') return null;
  if (fault === 'rejects_bad_results' && ['Blocked', 'fail'].includes(status)) return [422, 'not paid'];
  if (fault === 'rejects_unknown_codes' && !['0', '51', undefined].includes(fields['code'])) return [500, 'code'];
  if (fault === 'rejects_old_results' && isDeposit && isOld(fields['co_inv_prc'])) return [400, 'too old'];
  const id = keyOf(shop, fields, isDeposit, request);
  const isKnown = fault === 'knows_the_last_id' ? shop.last === id : shop.known.has(id);
  if (fault === 'looks_before_it_inserts') await new Promise((resolve) => setTimeout(resolve, 25));
  if (isKnown && fault === 'rejects_duplicates') return [409, 'again'];
  if (!isKnown || fault === 'counts_duplicates') record(shop, fields, isDeposit, status);
  shop.known.add(id);
  shop.last = id;
  return [200, 'OK'];
}

const HOUR_MS = 3_600_000;
const isOld = (time = '') => Date.parse(`${time.replace(' ', 'T')}Z`) < Date.now() - HOUR_MS;

/** Returns the field that the shop uses to identify a payment. */
function keyOf({ fault }: Shop, fields: Fields, isDeposit: boolean, { headers }: IncomingMessage): string {
  const id = (isDeposit ? fields['co_order_no'] : fields['payout_id']) ?? '';
  const kind = isDeposit ? 'deposit' : 'payout';
  if (fault === 'mixes_kinds') return id;
  if (fault === 'recognises_bytes') return `${id} ${headers['webhook-timestamp']}`;
  if (fault === 'ignores_case_of_ids') return `${kind} ${id.toLowerCase()}`;
  if (fault === 'reads_ids_as_numbers') return `${kind} ${Number.isNaN(Number(id)) ? id : Number(id)}`;
  return `${kind} ${fault === 'cuts_ids' ? id.slice(0, 32) : id}`;
}

function record({ fault, book }: Shop, fields: Fields, isDeposit: boolean, status: string): void {
  if (isDeposit) {
    const amount = fault === 'delivers_the_order' ? fields['co_base_amount'] : fields['co_amount'];
    book.push(`deposit ${fields['co_order_no']} ${status} ${amount} ${fields['co_cur']}`);
  } else {
    const recorded = fault === 'takes_unknown_for_success' && status !== 'Blocked' ? 'Success' : status;
    book.push(`payout ${fields['payout_id']} ${recorded} ${fields['amount']} ${fields['currency']}`);
  }
}

function answerEvent({ fault }: Shop, body: Buffer, { headers }: IncomingMessage): Reply {
  const read = (name: string) => String(headers[name] ?? '');
  const time = fault === 'ignores_times' ? String(Math.floor(Date.now() / 1_000)) : read('webhook-timestamp');
  const [first = ''] = read('webhook-signature').split(' ');
  const webhook = new Webhook(Buffer.from(KEYS.api).toString('base64'));
  const given = {
    'webhook-id': read('webhook-id'),
    'webhook-timestamp': time,
    'webhook-signature': fault === 'reads_the_first_signature' ? first : read('webhook-signature'),
  };
  try {
    if (fault === 'ignores_times') verifyAtAnyTime(webhook, body, headers, given);
    else if (fault !== 'verifies_no_event') webhook.verify(body, given);
  } catch {
    return [400, 'invalid signature'];
  }
  const { type } = JSON.parse(body.toString('utf8'));
  if (fault === 'rejects_unknown_events' && type !== 'payout.reversed') return [422, 'unknown type'];
  return [200, 'OK'];
}

/** Verifies the signature without checking the timestamp. */
function verifyAtAnyTime(webhook: Webhook, body: Buffer, headers: IncomingMessage['headers'], given: Fields): void {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const right = webhook.sign(String(given['webhook-id']), at, body);
  if (!String(given['webhook-signature']).split(' ').includes(right)) throw new Error('wrong');
}

/** Each planted fault with a check that must detect it. */
export const PLANTED: Readonly<Record<string, string>> = {
  answers_json: 'payout',
  answers_nothing: 'payout',
  redirects: 'payout',
  fails: 'deposit',
  keeps_plus: 'deposit',
  hangs_on_bad_results: 'blocked',
  rejects_bad_results: 'blocked',
  rejects_duplicates: 'duplicate',
  counts_duplicates: 'lost_answer',
  recognises_bytes: 'retry',
  looks_before_it_inserts: 'copies_at_once',
  knows_the_last_id: 'out_of_order',
  rejects_old_results: 'delayed',
  reads_one_piece: 'in_pieces',
  remembers_before_verifying: 'cut_off',
  decodes_twice: 'plus_in_signature',
  signs_a_list_of_fields: 'later_field',
  rejects_unknown_codes: 'unknown_code',
  knows_one_key: 'rotated_key',
  verifies_nothing: 'changed_amount',
  verifies_what_is_signed: 'no_signature',
  verifies_what_is_not_empty: 'empty_signature',
  accepts_any_signature: 'strangers_key',
  records_before_verifying: 'changed_deposit',
  has_no_key: 'empty_key',
  keeps_the_example: 'documented_key',
  accepts_the_form_key: 'form_key',
  compares_the_beginning: 'beginning_of_signature',
  ignores_letter_case: 'letter_case_of_signature',
  loose_types: 'signature_of_another_type',
  accepts_an_empty_body: 'empty_body',
  accepts_what_it_cannot_read: 'unreadable_body',
  shows_the_signature: 'shows_signature',
  verifies_no_event: 'event_forged',
  ignores_times: 'event_replayed',
  reads_the_first_signature: 'event_two_signatures',
  rejects_unknown_events: 'unknown_event',
  delivers_the_order: 'other_amount',
  takes_unknown_for_success: 'unknown_status',
  mixes_kinds: 'same_id',
  ignores_case_of_ids: 'id_letter_case',
  reads_ids_as_numbers: 'id_leading_zero',
  cuts_ids: 'id_length',
  delivers_on_return: 'return_spoofed',
};
