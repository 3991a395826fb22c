/** Actions of payers, recipients and third parties that tests and demos can trigger. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlPost, doneOr } from '../kernel/control-surface.ts';
import type { Route } from '../kernel/http-server.ts';
import { jsonLetter, post } from '../kernel/retrying-sender.ts';
import type { Book } from './book.ts';
import { BEHAVIOURS, isBehaviour } from './conducts.ts';
import { validationKeyOf } from './notifications.ts';
import type { Account, VoPay } from './processing.ts';

export interface ControlParts {
  readonly vopay: VoPay;
  readonly book: Book;
  readonly account: Account;
  readonly webhookUrl: string;
}

export function controlRoutes({ vopay, book, account, webhookUrl }: ControlParts): readonly Route[] {
  return [
    controlPost('act', async ({ id, reference, behaviour }) => {
      const found = typeof id === 'number' ? book.latest(id) : book.moneyRequestOf(String(reference));
      if (found === undefined) return invalid('reference');
      if (!isBehaviour(behaviour)) return invalid('behaviour', BEHAVIOURS.join(', '));
      return doneOr('nothing_waits', await vopay.act(found.id, behaviour));
    }),
    // The recipient of a payout or refund acts. Without `answer` they use the right answer. With `expire` they never deposit.
    controlPost('deposit', async ({ id, reference, answer, expire, decline }) => {
      const found = typeof id === 'number' ? book.latest(id) : book.payoutOf(String(reference));
      if (found?.type !== 'Interac Bulk Payout') return invalid('id');
      const given = typeof answer === 'string' ? answer : found.answer;
      const acting =
        expire === true
          ? vopay.expire(found.id)
          : decline === true
            ? vopay.decline(found.id)
            : vopay.deposit(found.id, given);
      return doneOr('nothing_waits', await acting);
    }),
    // Sends a webhook as a third party who has seen another webhook could: with its number and key, but any other content.
    controlPost('made-up-webhook', async ({ id, ...said }) => {
      if (typeof id !== 'number') return invalid('id');
      const body = { ID: id, TransactionID: id, ValidationKey: validationKeyOf(id, account), ...said };
      await post(jsonLetter(webhookUrl, body), new AbortController().signal);
      return ok({});
    }),
  ];
}
