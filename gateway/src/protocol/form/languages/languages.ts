/** The languages of the form, by the tag that the page carries. */
import { LANGUAGES, type Language } from '../../../domain/payments/form-session.ts';
import type { Catalogue } from './catalogue.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { kazakh } from './kazakh.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';
import { ukrainian } from './ukrainian.ts';

/** In the order in which the page offers them. */
export const PAGE_LANGUAGES: readonly Language[] = LANGUAGES;

const CATALOGUES: Readonly<Record<Language, Catalogue>> = {
  en: english,
  uk: ukrainian,
  kk: kazakh,
  'pt-BR': portuguese,
  'es-MX': spanish,
  fr: french,
  de: german,
  pl: polish,
};

export function catalogueOf(language: Language): Catalogue {
  return CATALOGUES[language];
}

/** A value for each language. */
export function inEachLanguage<Value>(write: (language: Language) => Value): Readonly<Record<Language, Value>> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, write(language)])) as Record<Language, Value>;
}

/** By the primary language of a tag, and by what the interface calls it. */
const BY_PRIMARY: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(LANGUAGES.map((tag) => [tag.split('-')[0], tag])),
};
const LANGUAGE_PARAMETERS: Readonly<Record<string, Language>> = {
  ...BY_PRIMARY,
  ...Object.fromEntries(LANGUAGES.map((tag) => [tag, tag])),
  ua: 'uk',
};

/**
 * Returns the language of a `lang` parameter (decisions, Requests); `ua` means Ukrainian. Undefined if the form lacks
 * it.
 */
export function readLanguage(parameter: string): Language | undefined {
  return Object.hasOwn(LANGUAGE_PARAMETERS, parameter) ? LANGUAGE_PARAMETERS[parameter] : undefined;
}

/** Countries in which most payers read a language of the form that is not English. */
const COUNTRIES: Readonly<Partial<Record<Language, string>>> = {
  uk: 'UA',
  kk: 'KZ',
  'pt-BR': 'BR PT AO MZ',
  'es-MX': 'MX ES AR CO CL PE EC UY PY BO VE CR PA GT HN SV NI DO CU PR',
  fr: 'FR MC SN CI',
  de: 'DE AT CH LI',
  pl: 'PL',
};

/** The language that most payers can read. */
const LAST_RESORT: Language = 'en';

/** `country`: two letters, any case. */
function languageOfCountry(country: string): Language {
  const code = country.toUpperCase();
  return LANGUAGES.find((language) => code !== '' && COUNTRIES[language]?.split(' ').includes(code)) ?? LAST_RESORT;
}

/** Parses a range such as `uk-UA;q=0.9` into its primary language and weight. */
const LANGUAGE_RANGE = /^\s*([a-z]{2,3})(?:-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

/** Returns the available language with the highest weight in Accept-Language, else that of the payer's country. */
export function acceptedLanguage(header = '', country = ''): Language {
  const ranges = header.split(',').flatMap((text) => {
    const [, tag = '', weight = '1'] = LANGUAGE_RANGE.exec(text) ?? [];
    const primary = tag.toLowerCase();
    const language = Object.hasOwn(BY_PRIMARY, primary) ? BY_PRIMARY[primary] : undefined;
    return language && Number(weight) > 0 ? [{ language, weight: Number(weight) }] : [];
  });
  const [most] = ranges.toSorted((one, other) => other.weight - one.weight);
  return most?.language ?? languageOfCountry(country);
}
