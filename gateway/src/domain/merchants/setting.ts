/** One setting of a merchant: its parser, its default, and its meaning for the docs. */
import type { TextReader } from '../../foundation/text/text-readers.ts';

export interface Setting<Value> extends TextReader<Value> {
  readonly default: Value;
  readonly meaning: string;
}

export function setting<Value, Fallback extends Value | null>(
  reader: TextReader<Value>,
  fallback: Fallback,
  meaning: string,
): Setting<Value | Fallback> {
  return { ...reader, default: fallback, meaning };
}
