/** The texts of the pages before a session, in each language. */
import { type DoorWords, EN_DOORS } from './en/doors.ts';
import type { Language } from './languages.ts';
import { laidOver } from './translated.ts';

export async function loadDoorWords(language: Language): Promise<DoorWords> {
  if (language === 'uk') return laidOver(EN_DOORS, (await import('./uk/doors.ts')).UK_DOORS);
  if (language === 'kk') return laidOver(EN_DOORS, (await import('./kk/doors.ts')).KK_DOORS);
  return EN_DOORS;
}
