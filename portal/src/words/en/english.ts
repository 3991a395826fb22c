/** The English strings that are loaded. */
import type { Words } from './en.ts';
import { EN_FIRST } from './first.ts';

export const english = { ...EN_FIRST } as Words;

/** Adds the strings of the pages after the first page. */
export const loadEnglish = async () => void Object.assign(english, (await import('./en.ts')).en);
