/**
 * The last guard before anything is written where people read it: what looks like a card number is masked, and an error
 * is cut down to what says where to look. It is a net under the rule that nothing secret gets this far, not the rule.
 */
import { errorCode } from '../../foundation/error-code.ts';

const DIGIT_RUN = /\d(?:[ -]?\d){11,}/g;
const LONGEST_TEXT = 300;
const FRAMES = 6;

/** Masks every run of twelve or more digits (spaces and hyphens within it included) and cuts the text to 300 characters. */
export function redactText(text: string): string {
  return text.replace(DIGIT_RUN, '[digits]').slice(0, LONGEST_TEXT);
}

export interface ReducedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** Where it was thrown; without the message, which heads a stack. */
  readonly at?: readonly string[];
  readonly cause?: ReducedError;
}

/**
 * Name, code, message, frames, and the same of its cause; no other property, since a database's errors carry rows and
 * parameters in theirs.
 */
export function reduceError(error: unknown, depth = 0): ReducedError {
  if (!(error instanceof Error)) return { name: typeof error, message: redactText(String(error)) };
  const code = errorCode(error);
  const at = framesOf(error);
  return {
    name: error.name,
    message: redactText(error.message),
    ...(code === undefined ? {} : { code }),
    ...(at.length > 0 ? { at } : {}),
    ...(error.cause !== undefined && depth < 2 ? { cause: reduceError(error.cause, depth + 1) } : {}),
  };
}

function framesOf({ stack }: Error): string[] {
  const lines = stack?.split('\n') ?? [];
  const frames = lines.filter((line) => /^ {4}at /.test(line)).slice(0, FRAMES);
  return frames.map((frame) => redactText(frame.trim().slice('at '.length)));
}
