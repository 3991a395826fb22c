/** The English texts as pages have them. */
import type { Words } from './en.ts';
import { EN_FIRST } from './first.ts';

export const english = { ...EN_FIRST } as Words;

/** Adds the texts of the pages after the first one. */
export const loadEnglish = async () => void Object.assign(english, (await import('./en.ts')).en);
