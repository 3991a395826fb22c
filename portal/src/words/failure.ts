/** The strings for a visitor whose pages could not be loaded. The first script contains them in each language. */
import type { Language } from './languages.ts';

export const FAILURE: Readonly<Record<Language, { readonly failed: string; readonly again: string }>> = {
  en: { failed: 'This page could not be loaded.', again: 'Try again' },
  uk: { failed: 'Не вдалося завантажити цю сторінку.', again: 'Спробувати ще раз' },
  kk: { failed: 'Бұл бетті жүктеу мүмкін болмады.', again: 'Қайталап көру' },
};
