/** The languages of the pages, and how a translation is laid over English. */
import { en, type Words } from './en.ts';
import type { Translated } from './translated.ts';

/** The languages by their own names. The operator’s pages are in English. */
export const LANGUAGES = { en: 'English', uk: 'Українська', kk: 'Қазақша' } as const;
export type Language = keyof typeof LANGUAGES;

export async function loadWords(language: Language): Promise<Words> {
  if (language === 'uk') return laidOver(en, (await import('./uk.ts')).uk);
  if (language === 'kk') return laidOver(en, (await import('./kk.ts')).kk);
  return en;
}

/** The language to begin with: the person’s choice, or the first of the browser’s languages that there is. */
export function firstLanguage(chosen: string | null, wanted: readonly string[]): Language {
  const named = [chosen ?? '', ...wanted].map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return named.find((name): name is Language => Object.hasOwn(LANGUAGES, name)) ?? 'en';
}

function laidOver<Node extends object>(base: Node, over: Translated<Node>): Node {
  const entries = Object.entries(base).map(([name, text]) => {
    const other = (over as Readonly<Record<string, unknown>>)[name];
    if (other === undefined) return [name, text];
    return [name, typeof text === 'object' ? laidOver(text as object, other as object) : other];
  });
  // The contract has the English texts of some lists, such as roles.
  return { ...over, ...Object.fromEntries(entries) } as Node;
}
