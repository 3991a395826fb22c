/** The English strings that are loaded. */
import type { Words } from './en.ts';
import { EN_FIRST_PAGE } from './first-page.ts';

export const english = { ...EN_FIRST_PAGE } as Words;

/** Adds the strings of the pages after the first page. */
export const loadEnglish = async () => void Object.assign(english, (await import('./en.ts')).en);
