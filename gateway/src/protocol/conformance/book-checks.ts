/** Effects that only the merchant's own record shows. */
import { type Check, firstFault } from './check.ts';
import { withBody, withoutSignatures } from './played-message.ts';
import type { Receiver } from './receiver.ts';

/** Sends two payments whose ids a receiver may easily take for one. */
function twoIds(
  name: string,
  plays: string,
  remedy: string,
  ids: (id: string, run: string) => [string, string],
): Check {
  return {
    name,
    plays,
    remedy,
    needs: ['book'] as const,
    run: (receiver) => {
      const id = receiver.write.newId();
      const [first, second] = ids(id, String(Number.parseInt(id.slice(3, 9), 16)));
      return firstFault(
        () => receiver.accepts(receiver.write.payout(first)),
        () => receiver.accepts(receiver.write.payout(second)),
      );
    },
  };
}

const EXACT = 'Compare ids as strings, exactly: as a binary or case-sensitive column, and never as a number.';

export const BOOK_CHECKS: readonly Check[] = [
  {
    name: 'other_amount',
    plays: 'The payer sent 1.07 for an order of 100.00.',
    remedy: 'Deliver what co_amount pays for, not co_base_amount and not your order’s amount.',
    needs: ['book'],
    run: (receiver) => {
      const message = receiver.write.deposit(receiver.write.newId(), {
        fields: { co_amount: '1.07', co_to_wlt: '1.00' },
      });
      const fault = receiver.accepts(message);
      receiver.expectInBook({ id: message.id, lines: 1, has: '1.07', hasNot: /\b100\.00\b/ });
      return fault;
    },
  },
  {
    name: 'unknown_status',
    plays: 'A genuine message has a status that is neither Success nor Blocked.',
    remedy: 'Only Success is a success: test for it, not for the absence of Blocked.',
    needs: ['book'],
    run: async (receiver) => {
      const fields = { status: 'Held', code: '41', description: 'A later status' };
      const message = receiver.write.payout(receiver.write.newId(), { fields });
      receiver.expectInBook({ id: message.id, lines: null, hasNot: /success/i });
      await receiver.send(message);
      return undefined;
    },
  },
  {
    name: 'same_id',
    plays: 'A payout and a deposit have the same id.',
    remedy: 'Keep payouts and deposits apart: the id of one may equal the id of the other.',
    needs: ['book'],
    run: async (receiver) => {
      const id = receiver.write.newId();
      const fault = await firstFault(
        () => receiver.accepts(receiver.write.payout(id)),
        () => receiver.accepts(receiver.write.deposit(id)),
      );
      receiver.expectInBook({ id, lines: 2 });
      return fault;
    },
  },
  twoIds('id_letter_case', 'Two ids differ in letter case.', EXACT, (id) => [`${id}-a`, `${id}-A`]),
  twoIds('id_leading_zero', 'Two ids differ in a leading zero.', EXACT, (_id, run) => [`0${run}`, run]),
  twoIds(
    'id_length',
    'Two ids of 64 characters differ only in the last character.',
    'Give the column 64 characters.',
    (id) => [`${id}${'x'.repeat(63 - id.length)}1`, `${id}${'x'.repeat(63 - id.length)}2`],
  ),
  {
    name: 'return_spoofed',
    plays: 'A payer types the URL of your success page.',
    remedy: 'Deliver only after the callback. The redirect is not proof of payment.',
    needs: ['return_url', 'book'],
    run: async (receiver: Receiver) => {
      const id = receiver.write.newId();
      receiver.expectInBook({ id, lines: 0 });
      const target = new URL(receiver.asked.returnUrl ?? receiver.asked.url);
      const fields = { order_no: id, amount: '100.00', currency_code: 'EUR', co_inv_id: '1001', co_inv_st: 'success' };
      for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value);
      const empty = withBody(withoutSignatures(receiver.write.payout(id)), Buffer.alloc(0));
      const request = { ...empty.request, method: 'GET', path: target.pathname + target.search } as const;
      await receiver.send({ id, target, request });
      return undefined;
    },
  },
];
