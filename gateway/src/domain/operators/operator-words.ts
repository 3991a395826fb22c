/** What an operator says for the record: who, why and on what evidence. Each has to say something, and who is a person. */
export type OperatorWord = 'by' | 'reason' | 'evidence' | 'note';

export interface WordsRefusal {
  readonly kind: 'words_refused';
  readonly word: OperatorWord;
  /** Completes a sentence that begins with the word. */
  readonly reason: string;
}

/** By whom the record has it where the gateway itself decided; it may decide otherwise later. */
export const BY_ITSELF = 'gateway';

/** The first of the words that can't stand in the record, or undefined. */
export function wordsFault(words: Readonly<Partial<Record<OperatorWord, string>>>): WordsRefusal | undefined {
  for (const [word, text] of Object.entries(words) as [OperatorWord, string][]) {
    const reason = faultOf(word, text.trim());
    if (reason !== undefined) return { kind: 'words_refused', word, reason };
  }
  return undefined;
}

function faultOf(word: OperatorWord, text: string): string | undefined {
  if (text === '') return 'is empty';
  const isItself = word === 'by' && text.toLowerCase() === BY_ITSELF;
  return isItself ? `must name a person: "${text}" stands for what the gateway decides by itself` : undefined;
}
