/** Loads code together with the styles and texts that the first pages do not need. */
import { loadEnglish } from '../words/en/loaded-english.ts';

export async function loadWithStyles<Module>(load: () => Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([load(), import('../look/later.css'), loadEnglish()]);
  return module;
}
