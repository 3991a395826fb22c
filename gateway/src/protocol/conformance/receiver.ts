/** The tools of the checks: messages to a receiver, and expectations of its responses and its book. */
import type { ConformanceRequest } from '../../domain/conformance/conformance.ts';
import type { Clock } from '../../foundation/clock.ts';
import { createMessageWriter, type MessageWriter, type PlayedMessage } from './played-message.ts';
import { type Answer, type Manner, sendMessage } from './send-message.ts';

/** The required lines of the book about one id. */
export interface BookEntry {
  readonly id: string;
  /** The number of lines. Null means any number. */
  readonly lines: number | null;
  readonly has?: string;
  readonly hasNot?: RegExp;
}

/** A fault in one sentence, or undefined. */
export type Fault = string | undefined;

export interface Receiver {
  readonly write: MessageWriter;
  readonly asked: ConformanceRequest;
  readonly now: () => number;
  send(message: PlayedMessage, manner?: Manner): Promise<Answer>;
  /** Expects an acknowledgement, and one line in the book. */
  accepts(message: PlayedMessage, manner?: Manner): Promise<Fault>;
  /** Expects anything but an acknowledgement, and no line in the book. */
  rejects(message: PlayedMessage): Promise<Fault>;
  expectInBook(entry: BookEntry): void;
  /** Returns true when the receiver did not respond at all, so nothing more can be checked. */
  isUnreachable(): boolean;
}

export function openReceiver(asked: ConformanceRequest, clock: Clock, run: string, entries: BookEntry[]): Receiver {
  let last: Answer | undefined;
  const send = async (message: PlayedMessage, manner: Manner = 'whole') => {
    last = await sendMessage(message, manner, asked.patienceMs, clock);
    return last;
  };
  const expectInBook = (entry: BookEntry) => {
    const at = entries.findIndex(({ id }) => id === entry.id);
    if (at < 0) entries.push(entry);
    else entries[at] = entry;
  };
  const isPayment = ({ target }: PlayedMessage) => target === asked.url;
  return {
    write: createMessageWriter(asked, run, clock.now),
    asked,
    send,
    expectInBook,
    now: clock.now,
    async accepts(message, manner) {
      if (isPayment(message)) expectInBook({ id: message.id, lines: 1 });
      return whyNotAcknowledged(await send(message, manner), asked);
    },
    async rejects(message) {
      if (isPayment(message)) expectInBook({ id: message.id, lines: 0 });
      const isAccepted = whyNotAcknowledged(await send(message), asked) === undefined;
      return isAccepted ? 'It acknowledged the forgery.' : undefined;
    },
    isUnreachable: () => last?.kind === 'dropped' && last.reason.includes('ECONNREFUSED'),
  };
}

/** Returns a sentence with the reason and the remedy; undefined for an acknowledgement. */
export function whyNotAcknowledged(
  answer: Answer,
  { acknowledgement, patienceMs }: Pick<ConformanceRequest, 'acknowledgement' | 'patienceMs'>,
): Fault {
  if (answer.kind === 'timed_out')
    return `It did not respond within ${patienceMs / 1_000} seconds. Acknowledge first, then process the callback.`;
  if (answer.kind === 'dropped') return `It returned no usable response: ${answer.reason}.`;
  const { status, location, body } = answer;
  if (status >= 300 && status < 400)
    return `It redirects to ${location || 'nowhere'} (${status}). The gateway does not follow redirects. Set the final URL.`;
  if (status < 200 || status >= 300) return `It returned ${status} to a genuine message.`;
  if (acknowledgement === 'any_2xx' || body.trim() === 'OK') return undefined;
  return `It returned ${status} with ${body === '' ? 'no body' : 'another body'}: the body must be OK.`;
}

/** Returns the first fault of the book in one sentence. */
export function faultOfEntry({ id, lines, has, hasNot }: BookEntry, book: string): Fault {
  const found = book.split('\n').filter((line) => wordsOf(line).includes(id));
  if (lines !== null && found.length !== lines)
    return `The book has ${found.length} lines about ${id}; ${lines} ${lines === 1 ? 'is' : 'are'} correct.`;
  if (has !== undefined && !found.some((line) => wordsOf(line).includes(has)))
    return `The line about ${id} does not contain ${has}.`;
  return hasNot && found.some((line) => hasNot.test(line))
    ? `The line about ${id} contains ${hasNot.source}.`
    : undefined;
}

function wordsOf(line: string): readonly string[] {
  return (line.match(/[\w.-]+/g) ?? []).map((word) => word.replace(/\.$/, ''));
}
