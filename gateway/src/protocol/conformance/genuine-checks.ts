/**
 * Genuine messages, delivered as a network and a gateway may deliver them. A receiver acknowledges each, and counts it once.
 */
import { formatUtc, HOUR_MS, MINUTE_MS } from '../../foundation/clock.ts';
import { type Check, firstFault } from './check.ts';
import { type PlayedMessage, STRANGERS_KEY, withHeaders } from './played-message.ts';
import type { Receiver } from './receiver.ts';

const COPIES = 8;
/** One signature in three has a plus sign. */
const MOST_DRAWS = 200;

const ONCE = 'Record the id and the effect in one transaction, under a unique index; return OK for the second message.';

async function againAfter(receiver: Receiver, message: PlayedMessage) {
  return firstFault(
    () => receiver.accepts(message),
    () => receiver.accepts(message),
  );
}

export const GENUINE_CHECKS: readonly Check[] = [
  {
    name: 'payout',
    plays: 'A payout succeeds.',
    remedy: 'Verify the signature over the fields as received, and return 200 with the body OK.',
    run: (receiver) => receiver.accepts(receiver.write.payout(receiver.write.newId())),
  },
  {
    name: 'deposit',
    plays: 'A deposit succeeds.',
    remedy: 'Verify co_sign over all other fields. Decode + as a space and %3A as a colon before you join them.',
    run: (receiver) => receiver.accepts(receiver.write.deposit(receiver.write.newId())),
  },
  {
    name: 'blocked',
    plays: 'A payout is blocked, and a deposit fails.',
    remedy: 'Acknowledge a bad result as well: it is genuine, and the gateway repeats it until you do.',
    run: async (receiver) => {
      const blocked = { status: 'Blocked', code: '51', description: 'Declined by the bank' };
      const failed = { co_inv_st: 'fail', co_amount: '0.00', co_to_wlt: '0.00' };
      return firstFault(
        () => receiver.accepts(receiver.write.payout(receiver.write.newId(), { fields: blocked })),
        () => receiver.accepts(receiver.write.deposit(receiver.write.newId(), { fields: failed })),
      );
    },
  },
  {
    name: 'duplicate',
    plays: 'The same message arrives twice.',
    remedy: ONCE,
    run: (receiver) => againAfter(receiver, receiver.write.deposit(receiver.write.newId())),
  },
  {
    name: 'retry',
    plays: 'The gateway sends the result again an hour later, with new headers.',
    remedy: `Recognise a duplicate by payout_id or co_order_no, not by its bytes. ${ONCE}`,
    run: async (receiver) => {
      const id = receiver.write.newId();
      return firstFault(
        () => receiver.accepts(receiver.write.payout(id, { at: receiver.now() - HOUR_MS })),
        () => receiver.accepts(receiver.write.payout(id)),
      );
    },
  },
  {
    name: 'copies_at_once',
    plays: `${COPIES} copies of a message arrive at the same moment.`,
    remedy: `A lookup before the insert is not enough. ${ONCE}`,
    run: async (receiver) => {
      const message = receiver.write.payout(receiver.write.newId());
      await Promise.all(Array.from({ length: COPIES }, () => receiver.send(message)));
      return receiver.accepts(message);
    },
  },
  {
    name: 'out_of_order',
    plays: 'Older results arrive after newer results, some of them for the second time.',
    remedy: `Keep every id that you have processed, not only the last. ${ONCE}`,
    run: async (receiver) => {
      const [first, second] = [1, 2].map((hours) =>
        receiver.write.payout(receiver.write.newId(), { at: receiver.now() - hours * HOUR_MS }),
      ) as [PlayedMessage, PlayedMessage];
      return firstFault(
        () => receiver.accepts(first),
        () => receiver.accepts(second),
        () => receiver.accepts(first),
      );
    },
  },
  {
    name: 'delayed',
    plays: 'A result arrives three days after the payment.',
    remedy: 'Do not reject a callback because co_inv_prc is old: the gateway retries for three days.',
    run: (receiver) => {
      const ended = receiver.now() - 72 * HOUR_MS;
      const fields = { co_inv_crt: formatUtc(ended - 5 * MINUTE_MS), co_inv_prc: formatUtc(ended) };
      return receiver.accepts(receiver.write.deposit(receiver.write.newId(), { fields }));
    },
  },
  {
    name: 'in_pieces',
    plays: 'The body arrives in two parts.',
    remedy: 'Read the entire body, as Content-Length says, before you verify it.',
    run: (receiver) => receiver.accepts(receiver.write.deposit(receiver.write.newId()), 'in_pieces'),
  },
  {
    name: 'cut_off',
    plays: 'The connection ends in the middle of the body; the complete message follows.',
    remedy: 'Store an id only after you verified the complete message, and survive a dropped connection.',
    run: async (receiver) => {
      const message = receiver.write.payout(receiver.write.newId());
      await receiver.send(message, 'cut');
      return receiver.accepts(message);
    },
  },
  {
    name: 'lost_answer',
    plays: 'The connection ends before your response; the message follows again.',
    remedy: `Acknowledge the second message. ${ONCE}`,
    run: async (receiver) => {
      const message = receiver.write.payout(receiver.write.newId());
      await receiver.send(message, 'hang_up');
      return receiver.accepts(message);
    },
  },
  {
    name: 'plus_in_signature',
    plays: 'The signature has a plus sign and ends with an equals sign.',
    remedy: 'Decode the form once: %2B is a plus sign. Do not decode it twice, and do not cut the value at =.',
    run: (receiver) => {
      let message = receiver.write.payout(receiver.write.newId());
      for (
        let draw = 0;
        draw < MOST_DRAWS && !/sign(?:=|":")[^&"]*(?:%2B|\+)/.test(String(message.request.body));
        draw++
      )
        message = receiver.write.payout(receiver.write.newId());
      return receiver.accepts(message);
    },
  },
  {
    name: 'later_field',
    plays: 'A deposit has the announced field co_rate.',
    remedy: 'Sign every field that arrived except co_sign, not a list of names.',
    run: (receiver) =>
      receiver.accepts(receiver.write.deposit(receiver.write.newId(), { fields: { co_rate: '1.00' } })),
  },
  {
    name: 'unknown_code',
    plays: 'A payout is blocked with a code of a later version.',
    remedy: 'Treat an unknown code of Blocked as 50.',
    run: (receiver) => {
      const fields = { status: 'Blocked', code: '59', description: 'A later reason' };
      return receiver.accepts(receiver.write.payout(receiver.write.newId(), { fields }));
    },
  },
  {
    name: 'rotated_key',
    plays: 'The operator rotated the key; the old key still signs.',
    remedy: 'Accept both keys until the overlap has ended.',
    needs: ['old_key'],
    run: (receiver) => {
      const { key, oldKey } = receiver.asked;
      return receiver.accepts(receiver.write.payout(receiver.write.newId(), { keys: oldKey ? [key, oldKey] : [key] }));
    },
  },
  {
    name: 'event',
    plays: 'An executed payout is returned.',
    remedy: 'Verify the webhook headers or X-Sign over the bytes: an event has no sign.',
    needs: ['event_url'],
    run: (receiver) => receiver.accepts(receiver.write.event(receiver.write.newId())),
  },
  {
    name: 'unknown_event',
    plays: 'An event has a type and a field of a later version.',
    remedy: 'Ignore unknown types and fields, and return OK.',
    needs: ['event_url'],
    run: (receiver) =>
      receiver.accepts(
        receiver.write.event(receiver.write.newId(), { fields: { type: 'payout.renamed', later: 'yes' } }),
      ),
  },
  {
    name: 'event_two_signatures',
    plays: 'While a key is rotated, an event has two webhook signatures, and the second signature is yours.',
    remedy: 'Try every signature of webhook-signature; they are separated by spaces.',
    needs: ['event_url'],
    run: (receiver) => {
      const id = receiver.write.newId();
      const mine = receiver.write.event(id);
      const others = receiver.write.event(id, { keys: [STRANGERS_KEY] });
      const signatures = [others, mine].map(({ request }) => request.headers['webhook-signature'] ?? '');
      return receiver.accepts(withHeaders(mine, { 'webhook-signature': signatures.join(' ') }));
    },
  },
];
