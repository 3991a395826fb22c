/** The languages of the form, by the tag that the page carries. */
import type { Catalogue } from './catalogue.ts';
import { english } from './english.ts';
import { kazakh } from './kazakh.ts';
import { ukrainian } from './ukrainian.ts';

export const PAGE_LANGUAGES = ['en', 'uk', 'kk'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

const CATALOGUES: Readonly<Record<PageLanguage, Catalogue>> = { en: english, uk: ukrainian, kk: kazakh };

export function catalogueOf(language: PageLanguage): Catalogue {
  return CATALOGUES[language];
}

const LANGUAGE_PARAMETERS: Readonly<Record<string, PageLanguage>> = { en: 'en', ua: 'uk', uk: 'uk', kk: 'kk' };

/** The language of a `lang` parameter (decisions, Requests): `ua` is Ukrainian. Undefined: none of ours. */
export function readLanguage(parameter: string): PageLanguage | undefined {
  return Object.hasOwn(LANGUAGE_PARAMETERS, parameter) ? LANGUAGE_PARAMETERS[parameter] : undefined;
}
