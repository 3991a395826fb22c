/** The languages of the form: choice, catalogue, and the amounts, times and countries of a language. */
import { LANGUAGES, type Language } from '../../../domain/payments/form-session.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../foundation/clock.ts';
import { formatAmount, type Money } from '../../../foundation/money.ts';
import type { Catalogue } from './catalogue.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { kazakh } from './kazakh.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';
import { ukrainian } from './ukrainian.ts';

/** The languages in the order in which the page offers them. */
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

/** Returns a value for each language. */
export function inEachLanguage<Value>(write: (language: Language) => Value): Readonly<Record<Language, Value>> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, write(language)])) as Record<Language, Value>;
}

/** The languages by primary subtag, and by their names in the API. */
const BY_PRIMARY: Readonly<Record<string, Language>> = Object.fromEntries(
  LANGUAGES.map((tag) => [tag.split('-')[0], tag]),
);
const LANGUAGE_PARAMETERS: Readonly<Record<string, Language>> = {
  ...BY_PRIMARY,
  ...Object.fromEntries(LANGUAGES.map((tag) => [tag, tag])),
  ua: 'uk',
};

/** Returns the language of a `lang` parameter (decision 17); `ua` means Ukrainian. Undefined if the form lacks it. */
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

/** `country` has two letters, in any case. */
function languageOfCountry(country: string): Language {
  const code = country.toUpperCase();
  return LANGUAGES.find((language) => code !== '' && COUNTRIES[language]?.split(' ').includes(code)) ?? LAST_RESORT;
}

/** Parses a range such as `uk-UA;q=0.9` into its primary language and weight. */
const LANGUAGE_RANGE = /^\s*([a-z]{2,3})(?:-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

/** Returns the available language with the highest weight in Accept-Language, otherwise the language of the payer's country. */
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

/** Formats an amount, such as `₴1,234.50` or `1 234,50 ₴`. The result is exact for amounts of any size. */
export function amountText({ currency, ...money }: Money, language: Language): string {
  const decimal = formatAmount({ currency, ...money }) as Intl.StringNumericLiteral;
  return new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    decimal,
  );
}

/** Formats a duration such as `24 minutes` or `3 hours`, rounded up to at least `1 minute`. */
export function durationText(ms: number, language: Language): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [unitText(hours, 'hour', language), unitText(rest, 'minute', language)];
  return parts.filter((_, index) => (index === 0 ? hours : rest) > 0).join(' ');
}

function unitText(count: number, unit: 'hour' | 'minute', language: Language): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/**
 * Formats a time such as `November 25, 2026 at 6:20 PM UTC`. `timeZone` is an IANA name; empty means UTC. The script of a page
 * replaces it by the time in the payer's zone.
 */
export function momentText(at: Instant, language: Language, timeZone = ''): string {
  return momentFormat(language, timeZone || 'UTC').format(at);
}

function momentFormat(language: Language, timeZone: string): Intl.DateTimeFormat {
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat(language, { ...day, ...time, timeZone });
}

/**
 * Returns the words with which a page's script formats a time in the payer's zone: the order of the parts, the months, and
 * today and tomorrow. Chrome has no Kazakh month and day names, so they come from here.
 */
export function momentWords(language: Language): Readonly<Record<'pattern' | 'months' | 'days', string>> {
  const format = momentFormat(language, 'UTC');
  const pattern = format.formatToParts(0).map(({ type, value }) => (type === 'literal' ? value : `{${type}}`));
  const monthOf = (month: number) =>
    format.formatToParts(Date.UTC(2026, month, 1)).find(({ type }) => type === 'month')?.value;
  const days = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    pattern: pattern.join(''),
    months: Array.from({ length: 12 }, (_, month) => monthOf(month)).join(' '),
    days: [days.format(0, 'day'), days.format(1, 'day')].join('|'),
  };
}

/** `Germany`; the code itself if it is no country's. */
export function countryText(code: string, language: Language): string {
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code) : code;
}

/** Formats a period, such as `3 minutes ago`. */
export function agoText(since: Instant, now: Instant, language: Language): string {
  const elapsedMs = Math.max(0, now - since);
  const texts = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return elapsedMs < HOUR_MS
    ? texts.format(-Math.floor(elapsedMs / MINUTE_MS), 'minute')
    : texts.format(-Math.floor(elapsedMs / HOUR_MS), 'hour');
}
