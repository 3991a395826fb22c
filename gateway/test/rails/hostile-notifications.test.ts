/**
 * Anyone can post to a rail's notification URL, and the gateway parses the body before it has authenticated the sender.
 * Parsing blocks the process, so no body may take long.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import type { RawNotification } from '../../src/domain/notifications/rail-notification.ts';
import { createManualClock } from '../../src/foundation/clock.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { createAdyenNotifications } from '../../src/rails/adyen/notifications.ts';
import { createAdyenTransfersNotifications } from '../../src/rails/adyen-transfers/notifications.ts';
import { createDtOneNotifications } from '../../src/rails/dt-one/notifications.ts';
import { createEpointNotifications } from '../../src/rails/epoint/notifications.ts';
import { createFreedomPayNotifications } from '../../src/rails/freedom-pay/notifications.ts';
import { createPixNotifications } from '../../src/rails/pix/notifications.ts';
import { createRazorpayXNotifications } from '../../src/rails/razorpayx/notifications.ts';
import { readIncoming } from '../../src/rails/stp/notification-messages.ts';
import { readMessage } from '../../src/rails/trustly/notification-messages.ts';
import { isSignedBy } from '../../src/rails/trustly/signature.ts';
import { createVoPayNotifications } from '../../src/rails/vopay/notifications.ts';
import { createWayForPayNotifications } from '../../src/rails/wayforpay/notifications.ts';
import { cpuMsOf } from '../support/tools/cpu-time.ts';

const KEY = new Secret('ab'.repeat(32));
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const unasked = () => assert.fail('the gateway asks nobody about an unauthenticated notification');

/** Each reader must reject its input. Pix and STP are authenticated by address, so their readers parse the entire body. */
const READERS: Readonly<Record<string, (notification: RawNotification) => unknown>> = {
  Adyen: createAdyenNotifications({ hmacKeys: [KEY], merchantAccount: 'M' }).read,
  'Adyen transfers': createAdyenTransfersNotifications({ hmacKeys: [KEY], balanceAccount: 'B' }).read,
  'DT One': createDtOneNotifications({ callbackUsername: 'user', callbackPassword: KEY }, unasked).read,
  Epoint: createEpointNotifications({ privateKey: KEY }).read,
  'Freedom Pay': createFreedomPayNotifications(
    { payoutSecret: KEY, notificationUrl: 'https://pay.example/freedom-pay' },
    { call: unasked },
  ).read,
  Pix: createPixNotifications({ webhook: { certificateFingerprints: [], allowList: ['192.0.2.1'] } }).read,
  RazorpayX: createRazorpayXNotifications({ webhookSecrets: [KEY] }).read,
  STP: ({ body }) => readIncoming(body),
  Trustly: ({ body }) => {
    const message = readMessage(body);
    return message.ok && isSignedBy(message.value.signed, message.value.signature, publicKey);
  },
  VoPay: createVoPayNotifications({ sharedSecret: KEY }, unasked).read,
  WayForPay: createWayForPayNotifications({ merchantAccount: 'M', secretKey: KEY }, createManualClock(0)).read,
};

const LARGEST_BYTES = 64 * 1024;
const filledWith = (text: string) => text.repeat(Math.floor((LARGEST_BYTES - 100) / text.length));
const ofJson = (field: string, text: string) => JSON.stringify({ [field]: text });
const FORM = 'application/x-www-form-urlencoded';
const PARTS = 'multipart/form-data; boundary=b';

/** The content type and the body of each request, by name. */
const BODIES: Readonly<Record<string, readonly [contentType: string, body: string]>> = {
  'an amount of zeros with another last character': ['application/json', ofJson('amount', `1.${filledWith('0')}1`)],
  'blanks with another last character': ['application/json', ofJson('claveRastreo', `a${filledWith(' ')}a`)],
  'nested lists': ['application/json', `{"params":{"data":${filledWith('[')}`],
  'parts without an end': [PARTS, filledWith(';name="data"')],
  'headers without an end': [PARTS, filledWith(';name="data"\r\n')],
  'both parts repeated many times': [PARTS, filledWith('\r\n--b\r\n;name="data"\r\n\r\n;name="signature"\r\n')],
  'pairs that are not UTF-8': [FORM, filledWith('%ff=&')],
  'pairs without names': [FORM, filledWith('&')],
};

const LONGEST_MS = 100;

/** Returns the lowest CPU time of several runs, because the first runs include compilation and garbage collection. */
const leastMs = (work: () => void) => Math.min(...Array.from({ length: 4 }, () => cpuMsOf(work)));

describe('unauthenticated notifications', () => {
  for (const [rail, read] of Object.entries(READERS))
    for (const [what, [contentType, text]] of Object.entries(BODIES))
      it(`a notification of 64 KB is read within 100 ms by ${rail} when it is ${what}`, () => {
        const body = Buffer.from(text);
        assert.ok(body.length <= LARGEST_BYTES);
        const headers = { 'content-type': contentType };
        const tookMs = leastMs(() => void read({ body, headers, clientAddress: '192.0.2.1' }));
        assert.ok(tookMs < LONGEST_MS, `${Math.round(tookMs)} ms`);
      });
});
