/** The files of the languages, each loaded by the browsers that need it. */
import type { Words } from './en/en.ts';
import type { Language } from './languages.ts';
import type { Translated } from './translated.ts';

/** Null: the pages have the English texts themselves. */
export const DICTIONARIES: Readonly<Record<Language, () => Promise<Translated<Words> | null>>> = {
  en: async () => null,
  uk: async () => (await import('./uk/uk.ts')).uk,
  kk: async () => (await import('./kk/kk.ts')).kk,
};
