/** Forged and replayed messages. A correct receiver does not acknowledge such a message, and ignores it. */
import { DOCUMENTED_KEY } from '../../domain/signature-doctor/examination.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { type Check, firstFault } from './check.ts';
import {
  type PlayedMessage,
  STRANGERS_KEY,
  signaturesOf,
  withBody,
  withFields,
  withHeaders,
  withoutSignatures,
  withSignatures,
} from './played-message.ts';
import type { Receiver } from './receiver.ts';

const VERIFY = 'Verify the signature before anything else, and return 400 for an invalid signature.';
const COVERED = 'Compute the signature over every field of the message that arrived.';

/** Creates a check that forges a payout. */
function forgery(
  name: string,
  plays: string,
  remedy: string,
  forge: (message: PlayedMessage, receiver: Receiver) => PlayedMessage,
): Check {
  const run = (receiver: Receiver) => receiver.rejects(forge(receiver.write.payout(receiver.write.newId()), receiver));
  return { name, plays, remedy, run };
}

function signedBy(name: string, plays: string, remedy: string, key: (receiver: Receiver) => Secret): Check {
  return forgery(name, plays, remedy, ({ id }, receiver) => receiver.write.payout(id, { keys: [key(receiver)] }));
}

const changing = (change: Readonly<Record<string, string>>) => (message: PlayedMessage) =>
  withFields(message, (fields) => ({ ...fields, ...change }));

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}

export const HOSTILE_CHECKS: readonly Check[] = [
  forgery('no_signature', 'A stranger posts a payment without any signature.', VERIFY, withoutSignatures),
  forgery('empty_signature', 'A stranger posts a payment with empty signatures.', VERIFY, (message) =>
    withSignatures(message, () => ''),
  ),
  signedBy('strangers_key', 'A stranger signs a payment with another key.', VERIFY, () => STRANGERS_KEY),
  signedBy(
    'empty_key',
    'A stranger signs a payment with the empty key.',
    'Refuse to start without a key: an unset variable is an empty key, with which anyone can sign.',
    () => new Secret(''),
  ),
  signedBy(
    'documented_key',
    'A stranger signs a payment with the key of the documentation.',
    'Remove the example’s key from your configuration.',
    () => new Secret(DOCUMENTED_KEY),
  ),
  {
    ...signedBy(
      'form_key',
      'A payment is signed with the form key.',
      'Verify callbacks only with the API key.',
      ({ asked }) => asked.formKey ?? STRANGERS_KEY,
    ),
    needs: ['form_key'],
  },
  forgery('changed_amount', 'The amount of a genuine message is changed.', COVERED, changing({ amount: '99.00' })),
  forgery(
    'changed_status',
    'The status of a genuine message is changed.',
    COVERED,
    changing({ status: 'Blocked', code: '51' }),
  ),
  forgery('changed_id', 'A message carries the signature of another payout.', COVERED, ({ id }, { write }) => ({
    ...withFields(write.payout(write.newId()), (fields) => ({ ...fields, payout_id: id })),
    id,
  })),
  {
    name: 'changed_deposit',
    plays: 'The credit of a genuine deposit is changed.',
    remedy: COVERED,
    run: (receiver) =>
      receiver.rejects(
        withFields(receiver.write.deposit(receiver.write.newId()), (all) => ({ ...all, co_to_wlt: '99.00' })),
      ),
  },
  forgery(
    'beginning_of_signature',
    'The signature is only the beginning of the correct signature.',
    'Compare the lengths of the signatures first, then compare them in constant time.',
    (message) => withSignatures(message, (signature) => signature.slice(0, 4)),
  ),
  forgery(
    'letter_case_of_signature',
    'The signature has the wrong letter case.',
    'Compare base64 exactly: its letter case matters.',
    (message) => withSignatures(message, swapCase),
  ),
  forgery(
    'signature_of_another_type',
    'The body is JSON, and its signature is the value true.',
    'Check that the signature is a string, and compare it with a strict operator.',
    (message) => {
      const fields = { merchant: 'M1', payout_id: message.id, status: 'Success', code: '0', amount: '10.00' };
      const bare = withHeaders(withoutSignatures(message), { 'content-type': 'application/json' });
      return withBody(bare, Buffer.from(JSON.stringify({ ...fields, currency: 'EUR', sign: true })));
    },
  ),
  forgery('empty_body', 'The body is empty.', VERIFY, (message) =>
    withBody(withoutSignatures(message), Buffer.alloc(0)),
  ),
  forgery('unreadable_body', 'The body is not UTF-8.', VERIFY, (message) =>
    withBody(withoutSignatures(message), Buffer.from([0xff, 0xfe, 0x00, 0x25, 0x7a])),
  ),
  {
    name: 'shows_signature',
    plays: 'A stranger sends an invalid signature and reads the response.',
    remedy: 'Never show the expected signature or the key: the response would sign for strangers.',
    run: async (receiver) => {
      const genuine = receiver.write.payout(receiver.write.newId());
      receiver.expectInBook({ id: genuine.id, lines: 0 });
      const answer = await receiver.send(withSignatures(genuine, swapCase));
      const secrets = [...signaturesOf(genuine), receiver.asked.key.reveal()];
      if (answer.kind !== 'answered' || !secrets.some((secret) => answer.body.includes(secret))) return undefined;
      return 'The response shows the valid signature or the key.';
    },
  },
  {
    name: 'event_forged',
    plays: 'A stranger signs an event with another key.',
    remedy: VERIFY,
    needs: ['event_url'],
    run: (receiver) => receiver.rejects(receiver.write.event(receiver.write.newId(), { keys: [STRANGERS_KEY] })),
  },
  {
    name: 'event_replayed',
    plays: 'A stranger replays an event of an hour ago, as it was and with a new time.',
    remedy: 'Verify webhook-signature over id, time and bytes, and reject a time that is more than five minutes away.',
    needs: ['event_url'],
    run: async (receiver) => {
      const old = receiver.write.event(receiver.write.newId(), { at: receiver.now() - HOUR_MS });
      const now = String(Math.floor(receiver.now() / 1_000));
      return firstFault(
        () => receiver.rejects(old),
        () => receiver.rejects(withHeaders(old, { 'webhook-timestamp': now })),
      );
    },
  },
];
