/** Runs axe on a page of a test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

const SOURCE = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8');
const PROBES = readFileSync(join(import.meta.dirname, 'page-probes.js'), 'utf8');

export const WCAG_2_2_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export interface Rules {
  readonly type: 'tag' | 'rule';
  readonly values: readonly string[];
}

/**
 * Adds the probes and axe to each page of the context, before the page's own scripts. axe is half a megabyte: a page compiles
 * it only when it is checked, and the browser then reuses the result for later pages of the process.
 */
export async function addProbes(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: `${PROBES};\nglobalThis.loadAxe = () => {\n${SOURCE}\n};` });
}

/** Adds only the probes, for pages that axe does not check. A new page with axe takes 20% more CPU time. */
export async function addProbesWithoutAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: PROBES });
}

/** Returns one line per axe violation on the page, excluding third-party frames. */
export function findViolationsOf(page: Page, rules: Rules): Promise<string[]> {
  return page.evaluate<string[]>(`probes.violations(${JSON.stringify(rules)})`);
}
