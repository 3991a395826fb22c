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

/**
 * Returns the language of a `lang` parameter (decisions, Requests); `ua` means Ukrainian. Undefined if the form lacks
 * it.
 */
export function readLanguage(parameter: string): Language | undefined {
  return Object.hasOwn(LANGUAGE_PARAMETERS, parameter) ? LANGUAGE_PARAMETERS[parameter] : undefined;
}

/** The language that most payers can read. */
const LAST_RESORT: Language = 'en';

/** Parses a range such as `uk-UA;q=0.9` into its primary language and weight. */
const LANGUAGE_RANGE = /^\s*([a-z]{2,3})(?:-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

/** Returns the available language with the highest weight in Accept-Language. */
export function acceptedLanguage(header = ''): Language {
  const ranges = header.split(',').flatMap((text) => {
    const [, tag = '', weight = '1'] = LANGUAGE_RANGE.exec(text) ?? [];
    const language = PAGE_LANGUAGES.find((each) => each === tag.toLowerCase());
    return language && Number(weight) > 0 ? [{ language, weight: Number(weight) }] : [];
  });
  const [most] = ranges.toSorted((one, other) => other.weight - one.weight);
  return most?.language ?? LAST_RESORT;
}
