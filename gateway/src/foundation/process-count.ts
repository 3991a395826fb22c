/** The number of processes that one machine runs: a given number, or one per core. */
import { type TextReader, wholeNumber } from './text/text-readers.ts';

export type ProcessCount = number | 'all';

const MOST = 256;

export const processCount: TextReader<ProcessCount> = {
  read: (text) => (text === 'all' ? 'all' : wholeNumber(1, MOST).read(text)),
  accepts: `a whole number from 1 to ${MOST}, or all: one for each core`,
};
