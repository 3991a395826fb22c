/** The strings of the pages in each language. */
import { DICTIONARIES } from './dictionaries.ts';
import type { Words } from './en/en.ts';
import { english } from './en/loaded-english.ts';
import type { Language } from './languages.ts';
import { laidOver } from './translated.ts';

export async function loadWords(language: Language): Promise<Words> {
  const dictionary = await DICTIONARIES[language]();
  return dictionary === null ? english : laidOver((await import('./en/en.ts')).en, dictionary);
}
