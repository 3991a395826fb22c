/**
 * Every address the bank answers, as a table, and the reply to each. Works on parsed requests and plain replies, so it
 * knows neither sockets nor authorization; provider-server/http-server.ts has those.
 */
import { invalid, ok } from '../provider-server/book-page.ts';
import { controlSurface } from '../provider-server/control-surface.ts';
import { parseJson, type Reply, type Route } from '../provider-server/http-server.ts';
import type { Bank, Submission } from './bank.ts';
import type { Book, BookEntry } from './book.ts';
import { type Faults, noFaults, parseBankFaults } from './faults.ts';
import { parsePayoutInstruction } from './payout-instruction.ts';

export interface ControlledParts {
  readonly bank: Bank;
  readonly book: Book;
  readonly faults: Faults;
  /** A book on disk is never emptied from outside. */
  readonly isInMemory: boolean;
}

export function payoutRoutes(bank: Bank): readonly Route[] {
  return [
    { verb: 'POST', path: '/stand-in/v1/payouts', answer: ({ body }) => submit(bank, parseJson(body)) },
    { verb: 'GET', path: '/stand-in/v1/payouts/', answer: ({ rest }) => find(bank, rest) },
  ];
}

export function controlRoutes(parts: ControlledParts): readonly Route[] {
  return [...controlSurface({ ...parts, noFaults, parseFaults: parseBankFaults, stop: () => parts.bank.stop() })];
}

async function submit(bank: Bank, body: unknown): Promise<Reply> {
  const parsed = parsePayoutInstruction(body);
  if ('invalidField' in parsed) return invalid(parsed.invalidField);
  return replyTo(await bank.submit(parsed.instruction));
}

function replyTo(submission: Submission): Reply {
  switch (submission.reply) {
    case 'status':
      return ok(statusOf(submission.entry));
    case 'error_500':
      return { status: 500, body: { error: 'internal' } };
    case 'conflict':
      return { status: 409, body: { error: 'reference_reused' } };
    case 'never':
      return 'never';
  }
}

function find(bank: Bank, reference: string): Reply {
  const entry = bank.find(reference);
  return entry === undefined ? { status: 404, body: { error: 'not_found' } } : ok(statusOf(entry));
}

/** What the gateway sees of a payout. A reversal is told beside the status it undid. */
function statusOf({ reference, status, reason }: BookEntry): object {
  if (status === 'reversed') return { reference, status: 'executed', reason, reversed: true };
  return { reference, status, reason };
}
