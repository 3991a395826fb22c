/** What is wrong with a page that a payer has got to, beside what their browser complains of. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findViolations } from '../browser/page-stage.ts';
import { within } from '../support/until.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
/** Put into the page by hand, so that the bank's frames have nothing of ours. */
const PROBES = `${read('../browser/page-probes.js')}\n;0`;

/** Far longer than it takes: a question to a page has no end of its own. */
const LOOK_MS = 30_000;

export async function findFaults(page: Page, name: string): Promise<string[]> {
  try {
    const violations = await within(LOOK_MS, `looking at ${name}`, look(page));
    return violations.map((violation) => `${name}: ${violation}`);
  } catch (error) {
    // It went on by itself while it was looked at.
    if (error instanceof Error && /Execution context was destroyed|navigation/i.test(error.message)) return [];
    throw error;
  }
}

async function look(page: Page): Promise<string[]> {
  await page.evaluate(PROBES);
  return [...(await page.evaluate<string[]>("probes.overflow('page')")), ...(await findViolations(page))];
}
