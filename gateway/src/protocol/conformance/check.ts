/** One check of a receiver: a message or a sequence of messages. */
import type { ConformanceRequest } from '../../domain/conformance/conformance.ts';
import type { Fault, Receiver } from './receiver.ts';

/** The input of a check, in addition to the address and the key. The text is the option that provides it. */
export const NEEDS = {
  book: '--book: the file or URL of your record',
  event_url: '--event-url: your URL for events',
  old_key: '--old-key-file: the key before the last rotation',
  form_key: '--form-key-file: your form key',
  return_url: '--return-url: the page to which payers return',
} as const;
type Need = keyof typeof NEEDS;

export interface Check {
  readonly name: string;
  /** A sentence that describes the message. */
  readonly plays: string;
  readonly remedy: string;
  readonly needs?: readonly Need[];
  run(receiver: Receiver): Promise<Fault>;
}

/** Returns the first missing input of the check. */
export function missingFor({ needs = [] }: Check, asked: ConformanceRequest): Need | undefined {
  const isGiven: Readonly<Record<Need, boolean>> = {
    book: asked.readBook !== null,
    event_url: asked.eventUrl !== null,
    old_key: asked.oldKey !== null,
    form_key: asked.formKey !== null,
    return_url: asked.returnUrl !== null,
  };
  return needs.find((need) => !isGiven[need]);
}

/** Runs the steps one after another, and ends with the first fault. */
export async function firstFault(...steps: readonly (() => Promise<Fault>)[]): Promise<Fault> {
  for (const step of steps) {
    const fault = await step();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
