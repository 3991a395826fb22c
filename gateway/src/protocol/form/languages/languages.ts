/** The languages of the form, by the tag that the page carries. */
import type { Language } from '../../../domain/payments/form-session.ts';
import type { Catalogue } from './catalogue.ts';
import { english } from './english.ts';
import { kazakh } from './kazakh.ts';
import { ukrainian } from './ukrainian.ts';

/** In the order in which the page offers them. */
export const PAGE_LANGUAGES: readonly Language[] = ['en', 'uk', 'kk'];

const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en: english, uk: ukrainian, kk: kazakh };

export function catalogueOf(language: Language): Catalogue {
  return CATALOGUES[language];
}

const LANGUAGE_PARAMETERS: Readonly<Record<string, Language>> = { en: 'en', ua: 'uk', uk: 'uk', kk: 'kk' };

/** The language of a `lang` parameter (decisions, Requests): `ua` is Ukrainian. Undefined: none of ours. */
export function readLanguage(parameter: string): Language | undefined {
  return Object.hasOwn(LANGUAGE_PARAMETERS, parameter) ? LANGUAGE_PARAMETERS[parameter] : undefined;
}
