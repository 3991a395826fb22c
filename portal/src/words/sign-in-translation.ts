/** The strings of the pages before sign-in, in each language. */
import { EN_SIGN_IN, type SignInWords } from './en/sign-in.ts';
import type { Language } from './languages.ts';
import { laidOver } from './translated.ts';

export async function loadSignInWords(language: Language): Promise<SignInWords> {
  if (language === 'uk') return laidOver(EN_SIGN_IN, (await import('./uk/sign-in.ts')).UK_SIGN_IN);
  if (language === 'kk') return laidOver(EN_SIGN_IN, (await import('./kk/sign-in.ts')).KK_SIGN_IN);
  return EN_SIGN_IN;
}
