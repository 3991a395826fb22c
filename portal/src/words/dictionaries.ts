/** The language files. Each browser loads only those that it needs. */
import type { Words } from './en/en.ts';
import type { Language } from './languages.ts';
import type { Translated } from './translated.ts';

/** English is null, because the pages contain its strings. The strings of any other language replace them. */
export const DICTIONARIES: Readonly<Record<Language, () => Promise<Translated<Words> | null>>> = {
  en: async () => null,
  uk: async () => (await Promise.all([import('./uk/uk.ts'), import('./en/en.ts')]))[0].uk,
  kk: async () => (await Promise.all([import('./kk/kk.ts'), import('./en/en.ts')]))[0].kk,
};
