/** The languages by their own names. The operator’s pages are in English. */
export const LANGUAGES = { en: 'English', uk: 'Українська', kk: 'Қазақша' } as const;
export type Language = keyof typeof LANGUAGES;

/** Returns the initial language: the user’s choice, or the first of the browser’s languages that the portal supports. */
export function firstLanguage(chosen: string | null, wanted: readonly string[]): Language {
  const named = [chosen ?? '', ...wanted].map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return named.find((name): name is Language => Object.hasOwn(LANGUAGES, name)) ?? 'en';
}

/** The key under which this browser stores the user’s choice. */
const KEY = 'language';

export const rememberLanguage = (language: Language): void => localStorage.setItem(KEY, language);

export const preferredLanguage = (): Language => firstLanguage(localStorage.getItem(KEY), navigator.languages);
