/** Faults of a page that a payer has reached, in addition to the browser's complaints. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findViolations } from '../browser/page-stage.ts';
import { within } from '../support/until.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
/** Injected into the page by hand, so that the bank's frames contain nothing of ours. */
const PROBES = `${read('../browser/page-probes.js')}\n;0`;

/** Far longer than a check takes: an evaluation in a page has no timeout itself. */
const LOOK_MS = 30_000;

export async function findFaults(page: Page, name: string): Promise<string[]> {
  try {
    const violations = await within(LOOK_MS, `looking at ${name}`, look(page));
    return violations.map((violation) => `${name}: ${violation}`);
  } catch (error) {
    // The page navigated during the check.
    if (error instanceof Error && /Execution context was destroyed|navigation/i.test(error.message)) return [];
    throw error;
  }
}

async function look(page: Page): Promise<string[]> {
  await page.evaluate(PROBES);
  return [...(await page.evaluate<string[]>("probes.overflow('page')")), ...(await findViolations(page))];
}
