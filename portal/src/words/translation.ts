/** The texts of the pages in each language. */
import { DICTIONARIES } from './dictionaries.ts';
import { en, type Words } from './en/en.ts';
import type { Language } from './languages.ts';
import { laidOver } from './translated.ts';

export async function loadWords(language: Language): Promise<Words> {
  const dictionary = await DICTIONARIES[language]();
  return dictionary === null ? en : laidOver(en, dictionary);
}
