/** Parses each provider's notification into JSON, and signs any JSON as the provider would. */
import { createHash, sign } from 'node:crypto';
import { signatureOf as adyenTransfersSignature } from '../../../../rail-simulators/src/adyen-transfers/notifications.ts';
import { adyenTransfers } from '../../../../rail-simulators/src/adyen-transfers/simulator.ts';
import { seal as sealForEpoint } from '../../../../rail-simulators/src/epoint/envelope.ts';
import { epoint } from '../../../../rail-simulators/src/epoint/simulator.ts';
import { signatureOf as freedomPaySignature } from '../../../../rail-simulators/src/freedom-pay/signature.ts';
import { freedomPay } from '../../../../rail-simulators/src/freedom-pay/simulator.ts';
import { webhookSignature } from '../../../../rail-simulators/src/razorpayx/notifications.ts';
import { razorpayx } from '../../../../rail-simulators/src/razorpayx/simulator.ts';
import { webhookKey } from '../../../../rail-simulators/src/token-io/key-files.ts';
import { sign as trustlySign } from '../../../../rail-simulators/src/trustly/signature.ts';
import {
  ANSWER_SIGNED,
  signatureOf as wayForPaySignature,
} from '../../../../rail-simulators/src/wayforpay/signature.ts';
import { wayforpay } from '../../../../rail-simulators/src/wayforpay/simulator.ts';
import { Secret } from '../../../src/foundation/secret.ts';
import { ACCOUNT as ADYEN } from '../../../src/rails/adyen/form-provider-under-test.ts';
import { hmacOf, signedTextOf } from '../../../src/rails/adyen/webhook-signature.ts';
import { asFields, type Fields, readObject, textOf } from '../../../src/rails/kit/provider-json.ts';
import { TOKEN_IO_SEED } from '../../../src/rails/token-io/form-provider-under-test.ts';
import type { TrustlyProvider } from '../../../src/rails/trustly/form-provider-under-test.ts';
import { ACCOUNT as VOPAY } from '../../../src/rails/vopay/form-provider-under-test.ts';
import type { TappedNotification } from '../form-providers/notification-tap.ts';
import { settingsOf } from '../rails/payout-provider-row.ts';

export interface Sealer {
  open(notification: TappedNotification): string;
  /** The result has the URL and headers of `like`. */
  seal(text: string, like: TappedNotification): TappedNotification;
}

const FORM = 'application/x-www-form-urlencoded';

/** The sealer for notifications without a signature. */
const plain: Sealer = { open: ({ body }) => body, seal: (body, like) => ({ ...like, body }) };

const byHeader = (name: string, signatureOf: (body: string) => string): Sealer => ({
  ...plain,
  seal: (body, { path, headers }) => ({ path, headers: { ...headers, [name]: signatureOf(body) }, body }),
});

/** Inserts the signature into the text, which preserves the other numbers and duplicate fields exactly. */
const within = (name: string, signatureOf: (read: Fields) => string): Sealer => ({
  ...plain,
  seal(text, like) {
    const signature = signatureOf(readObject(text) ?? {});
    const written = new RegExp(`"${name}":"[^"]*"`);
    return { ...like, body: text.replace(written, () => `"${name}":${JSON.stringify(signature)}`) };
  },
});

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');

function adyenSignature(read: Fields): string {
  const items = read['notificationItems'];
  const item = asFields(Array.isArray(items) ? items[0] : undefined)?.['NotificationRequestItem'];
  return hmacOf(signedTextOf(asFields(item) ?? {}), new Secret(ADYEN.hmacKey));
}

function trustlySignature(read: Fields, { key }: TrustlyProvider): string {
  const params = asFields(read['params']);
  const call = { method: textOf(read, 'method'), uuid: textOf(params, 'uuid'), data: params?.['data'] };
  return trustlySign(call, key, 'RS256');
}

function epointSealer(): Sealer {
  const { privateKey } = settingsOf(epoint, {});
  return {
    open({ body }) {
      const [, data = ''] = /name="data"\r\n\r\n([A-Za-z0-9+/=]+)/.exec(body) ?? /(?:^|&)data=([^&]*)/.exec(body) ?? [];
      return Buffer.from(decodeURIComponent(data), 'base64').toString();
    },
    seal(text, { path }) {
      const { data, signature } = sealForEpoint(JSON.parse(text), privateKey);
      const body = new URLSearchParams({ data, signature }).toString();
      return { path, headers: { 'content-type': FORM }, body };
    },
  };
}

function freedomPaySealer(): Sealer {
  const { payoutSecret } = settingsOf(freedomPay, {});
  return {
    open: ({ body }) => JSON.stringify(Object.fromEntries(new URLSearchParams(body))),
    seal(text, { path, headers }) {
      const { pg_sig: _, ...tree } = JSON.parse(text) as Record<string, unknown>;
      const fields = Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, wellFormed(value)]));
      const script = path.slice(path.lastIndexOf('/') + 1);
      const signed = { ...fields, pg_sig: freedomPaySignature(script, fields, payoutSecret) };
      return { path, headers, body: new URLSearchParams(signed).toString() };
    },
  };
}
const wellFormed = (value: unknown) => String(value).toWellFormed();

export function sealersOf(trustly: TrustlyProvider): Readonly<Record<string, Sealer>> {
  const { secretKey } = settingsOf(wayforpay, {});
  const { hmacKey } = settingsOf(adyenTransfers, {});
  const { webhookSecret } = settingsOf(razorpayx, {});
  const tokenIo = webhookKey(TOKEN_IO_SEED);
  return {
    adyen: within('hmacSignature', adyenSignature),
    'adyen-transfers': byHeader('hmacsignature', (body) => adyenTransfersSignature(body, hmacKey)),
    'dt-one': plain,
    epoint: epointSealer(),
    'freedom-pay': freedomPaySealer(),
    pix: plain,
    razorpayx: byHeader('x-razorpay-signature', (body) => webhookSignature(body, webhookSecret)),
    stp: plain,
    'token-io': byHeader('token-signature', (body) => sign(null, Buffer.from(body), tokenIo).toString('base64url')),
    trustly: within('signature', (read) => trustlySignature(read, trustly)),
    vopay: within('ValidationKey', (read) =>
      sha1(VOPAY.sharedSecret + (textOf(read, 'TransactionID') || textOf(read, 'ID'))),
    ),
    wayforpay: within('merchantSignature', (read) =>
      wayForPaySignature(read, ANSWER_SIGNED[textOf(read, 'cardPan') ? 'P2P_CREDIT' : 'P2P_ACCOUNT'], secretKey),
    ),
  };
}
