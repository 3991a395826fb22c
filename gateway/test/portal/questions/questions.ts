/** A question of a portal user. It must be answered within three clicks and thirty seconds from their first page. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { arrive } from '../stage/page-checks.ts';
import { invited, type PortalStage, type Visitor } from '../stage/portal-stage.ts';

const MOST_CLICKS = 3;
const MOST_MS = 30_000;
const SCREENSHOTS = join(import.meta.dirname, '../screenshots');

/** A user at their first page. */
export interface Person {
  readonly visitor: Visitor;
  click(what: Locator): Promise<void>;
  /** Opens a page from the menu. */
  menu(name: string): Promise<void>;
  /** Opens the first row of the list. */
  first(list: string): Promise<void>;
  /** Opens the first row of the list that contains this text. */
  firstWith(list: string, text: string): Promise<void>;
  /** Types into the search and opens the first match with Enter. */
  find(text: string): Promise<void>;
}

export interface Question {
  readonly asks: string;
  readonly of: 'merchant' | 'operator';
  readonly role: string;
  readonly walk: (person: Person) => Promise<void>;
  /** A text that the final page must show. */
  readonly answer: string | RegExp;
}

export const button = ({ visitor: { page } }: Person, name: string | RegExp) =>
  page.getByRole('button', { name }).first();
export const link = ({ visitor: { page } }: Person, name: string | RegExp) => page.getByRole('link', { name }).first();
export const nothing = async () => {};

const rowsOf = (page: Page, list: string) => page.getByRole('table', { name: list }).locator('tbody tr');

/** The users of one merchant and of the operator. Each joins when their first question begins. */
export class Askers {
  readonly #visitors = new Map<string, Visitor>();
  readonly #stage: PortalStage;
  readonly #merchantId: string;

  constructor(stage: PortalStage, merchantId: string) {
    this.#stage = stage;
    this.#merchantId = merchantId;
  }

  /** Takes a screenshot of the result for human review. */
  async ask(question: Question, name: string, context: TestContext): Promise<void> {
    const { person, clicks } = await this.#personOf(question);
    const { page } = person.visitor;
    await person.visitor.goto('/');
    await arrive(person.visitor, /./);
    const begin = performance.now();
    await question.walk(person);
    await page.getByText(question.answer).first().waitFor();
    await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
    const took = Math.round(performance.now() - begin);
    context.diagnostic(`${clicks()} clicks, ${took} ms`);
    mkdirSync(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${question.role}.png`) });
    assert.ok(clicks() <= MOST_CLICKS && took <= MOST_MS, `${clicks()} clicks, ${took} ms`);
    assert.deepEqual(person.visitor.offences.splice(0), []);
  }

  async #personOf({ of, role }: Question): Promise<{ person: Person; clicks: () => number }> {
    const name = `${of} ${role}`;
    const visitor =
      this.#visitors.get(name) ??
      (await invited(this.#stage, of === 'merchant' ? this.#merchantId : null, role, 'Dana Lind'));
    this.#visitors.set(name, visitor);
    const { page } = visitor;
    let clicks = 0;
    const click = async (what: Locator) => {
      clicks += 1;
      await what.click();
    };
    return {
      clicks: () => clicks,
      person: {
        visitor,
        click,
        menu: (entry) => click(page.getByRole('navigation').getByRole('link', { name: entry, exact: true })),
        first: (list) => click(rowsOf(page, list).getByRole('link').first()),
        firstWith: (list, text) => click(rowsOf(page, list).filter({ hasText: text }).getByRole('link').first()),
        async find(text) {
          clicks += 1;
          await page.keyboard.press('/');
          await page.keyboard.type(text);
          await page.getByRole('option').first().waitFor();
          await page.keyboard.press('Enter');
        },
      },
    };
  }
}
