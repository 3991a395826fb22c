/** The texts of the pages in each language. */
import { en, type Words } from './en/en.ts';
import type { Language } from './languages.ts';
import { laidOver } from './translated.ts';

export async function loadWords(language: Language): Promise<Words> {
  if (language === 'uk') return laidOver(en, (await import('./uk/uk.ts')).uk);
  if (language === 'kk') return laidOver(en, (await import('./kk/kk.ts')).kk);
  return en;
}
