/**
 * The last check before the log writes a text. It masks possible card numbers and reduces an error to its location. Callers
 * must still keep secrets out; this only catches a mistake.
 */
import { errorCode } from '../../foundation/error-code.ts';

const DIGIT_RUN = /\d(?:[ -]?\d){11,}/g;
const LONGEST_TEXT = 300;
const FRAMES = 6;

/** Masks every run of twelve or more digits, including spaces and hyphens within it, and cuts the text to 300 characters. */
export function redactText(text: string): string {
  return text.replace(DIGIT_RUN, '[digits]').slice(0, LONGEST_TEXT);
}

interface ReducedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** The stack frames, without the message that heads a stack. */
  readonly at?: readonly string[];
  readonly cause?: ReducedError;
}

/**
 * Keeps name, code, message and frames, and the same of the cause. It drops every other property, because a database's
 * errors carry rows and parameters.
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
