/** The operator's texts for the record: name, reason, evidence, note. None may be empty; the name must be a user’s. */
export type OperatorWord = 'by' | 'reason' | 'evidence' | 'note';

/**
 * The texts that an operator provides with an action on money. `by` is the user or program, for the histories; it defaults to
 * the operator.
 */
export interface ActWords {
  readonly reason: string;
  readonly by?: string;
}

export interface WordsRejection {
  readonly kind: 'words_rejected';
  readonly word: OperatorWord;
  /** Completes a sentence that begins with the name of the text. */
  readonly reason: string;
}

/** The recorded name for decisions of the gateway itself, which it may later revise. */
export const BY_ITSELF = 'gateway';

/** Returns the first text that cannot be recorded, or undefined. */
export function wordsFault(words: Readonly<Partial<Record<OperatorWord, string>>>): WordsRejection | undefined {
  for (const [word, text] of Object.entries(words) as [OperatorWord, string][]) {
    const reason = faultOf(word, text.trim());
    if (reason !== undefined) return { kind: 'words_rejected', word, reason };
  }
  return undefined;
}

function faultOf(word: OperatorWord, text: string): string | undefined {
  if (text === '') return 'is empty';
  const isItself = word === 'by' && text.toLowerCase() === BY_ITSELF;
  return isItself ? `must name a user or program: "${text}" is reserved for the gateway’s own decisions` : undefined;
}
