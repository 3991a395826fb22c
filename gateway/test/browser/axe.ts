/** axe on a page of a test. */
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
 * Adds the probes and axe to each page of the context before the page's own scripts. axe is half a megabyte: a page
 * compiles it once it is checked, and the browser then keeps the result for the next page of the process.
 */
export async function addProbes(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: `${PROBES};\nglobalThis.loadAxe = () => {\n${SOURCE}\n};` });
}

/** The probes alone, for pages that axe does not check: a new page with axe takes a fifth more of CPU time. */
export async function addProbesWithoutAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: PROBES });
}

/** One line per violation that axe finds on the page, without the frames of third parties. */
export function findViolationsOf(page: Page, rules: Rules): Promise<string[]> {
  return page.evaluate<string[]>(`probes.violations(${JSON.stringify(rules)})`);
}
