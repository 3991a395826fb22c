/**
 * For tests only: Mastercard Send on a free port, with a clock that the test controls. It has one function per request of a
 * client or an operator. The signing code is independent of the verification.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Answer, answerOf, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { type MastercardSendOptions, startMastercardSend } from './server.ts';

const SECRET = 'a secret of the test';
const PARTNER_ID = 'ptnr_test';
const CONSUMER_KEY = 'a-key!its-number';
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** Values that are signed incorrectly. */
export type Signing = Partial<Readonly<Record<'consumerKey' | 'nonce' | 'timestamp' | 'bodyHash', string>>>;

interface MastercardSendUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  close(): Promise<void>;
  readonly control: Control;
  call(verb: 'GET' | 'POST', path: string, body?: string, signing?: Signing): Promise<Answer>;
  /** Sends a disbursement of 10.08 EUR. The argument overrides fields. */
  submit(fields?: Readonly<Record<string, unknown>>, query?: string): Promise<Answer>;
  find(reference?: string): Promise<Answer>;
  summary(): Promise<Readonly<Record<string, unknown>>>;
}

export type TestOptions = Partial<Omit<MastercardSendOptions, 'clock'>> & { readonly clock?: ManualClock };

/** Starts it in memory with its control surface. It closes with the test. */
export async function startMastercardSendUnderTest(
  t: TestContext,
  options: TestOptions = {},
): Promise<MastercardSendUnderTest> {
  const { clock = new ManualClock(), ...rest } = options;
  const account = { partnerId: PARTNER_ID, consumerKey: CONSUMER_KEY, findPublicKey: () => KEYS.publicKey };
  const place = { host: '127.0.0.1', port: 0, secret: SECRET, control: true };
  const mastercard = await startMastercardSend({ ...place, ...account, clock, log: () => {}, ...rest });
  const close = closesWith(t, mastercard);
  let nonces = 0;
  const call: MastercardSendUnderTest['call'] = (verb, path, body = '', signing = {}) => {
    const url = `${mastercard.url}/send/v1/partners/${PARTNER_ID}/disbursements${path}`;
    const usual = { nonce: `nonce${++nonces}`, timestamp: String(clock.now() / 1_000) };
    const headers = { authorization: authorization(verb, url, body, { ...usual, ...signing }) };
    return answerOf(fetch(url, { method: verb, headers, signal: patience(), ...(verb === 'POST' ? { body } : {}) }));
  };
  const control = controlAt(mastercard.url, SECRET);
  return {
    url: mastercard.url,
    clock,
    close,
    control,
    call,
    submit: (fields = {}, query = '?decline_details=true') =>
      call('POST', `/payment${query}`, JSON.stringify({ payment_disbursement: { ...DISBURSEMENT, ...fields } })),
    find: (reference = DISBURSEMENT.disbursement_reference) => call('GET', `?ref=${reference}`),
    summary: async () => (await control('summary')).body,
  };
}

export const DISBURSEMENT = {
  disbursement_reference: '1001-AbCd1234',
  payment_type: 'BDB',
  amount: '1008',
  currency: 'EUR',
  sender_account_uri: 'raw:12345678901234567890',
  funding_source: 'DEPOSIT_ACCOUNT',
  recipient_account_uri: 'pan:5013040000000018;exp=2077-05',
  recipient: { first_name: 'Jane', last_name: 'Smith' },
};

function authorization(verb: string, url: string, body: string, signing: Signing): string {
  const [address = '', query] = url.split('?');
  const oauth = [
    `oauth_body_hash=${signing.bodyHash ?? createHash('sha256').update(body).digest('base64')}`,
    `oauth_consumer_key=${signing.consumerKey ?? CONSUMER_KEY}`,
    `oauth_nonce=${signing.nonce}`,
    'oauth_signature_method=RSA-SHA256',
    `oauth_timestamp=${signing.timestamp}`,
    'oauth_version=1.0',
  ];
  const parameters = [...(query === undefined ? [] : [query]), ...oauth].sort().join('&');
  const strict = (text: string) => encodeURIComponent(text).replace(/!/g, '%21');
  const text = `${verb}&${strict(address)}&${strict(parameters)}`;
  const signature = strict(sign('sha256', Buffer.from(text), KEYS.privateKey).toString('base64'));
  const header = oauth.map((pair) => pair.replace('=', '="')).map((pair) => `${pair}"`);
  return `OAuth ${[...header, `oauth_signature="${signature}"`].join(',')}`;
}
