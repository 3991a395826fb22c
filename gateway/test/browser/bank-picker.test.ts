/** The bank picker in a real browser, by keyboard and pointer, over sample pages. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openPageStage, type PageStage } from './page-stage.ts';
import { visitsOf } from './visits.ts';

let stage: PageStage;
const { visit, lastPosted } = visitsOf(() => stage);

before(async () => {
  stage = await openPageStage();
});
after(() => stage.close());

describe('the bank picker', () => {
  it('the bank picker filters while the payer types', async () => {
    await visit('bank', async (page) => {
      await page.getByRole('combobox').fill('credit ILE');
      assert.deepEqual(await page.locator('[data-banks] li:visible .choice-name').allTextContents(), [
        'Crédit Agricole Île-de-France',
      ]);
      assert.equal(await page.locator('[data-bank-count]').textContent(), '1 bank');
      await page.getByRole('combobox').fill('no$&such');
      assert.equal(await page.locator('[data-bank-count]').textContent(), 'No bank matches “no$&such”.');
      await page.getByRole('combobox').fill('');
      assert.equal(await page.locator('[data-bank-count]').textContent(), '7 banks');
    });
  });

  it('the bank picker finds a bank by each spelling of its name, even in Cyrillic', async () => {
    const spellings = {
      'Österreichische Volksbank': ['österreich', 'oesterreich', 'OSTERREICH', 'Остерреіх'],
      Íslandsbanki: ['islandsbanki', 'ісландсбанкі', 'ИСЛАНДСБАНКИ'],
    };
    await visit('bank', async (page) => {
      for (const [name, typed] of Object.entries(spellings))
        for (const text of typed) {
          await page.getByRole('combobox').fill(text);
          const shown = await page.locator('[data-banks] li:visible .choice-name').allTextContents();
          assert.deepEqual([shown.length, shown[0]?.startsWith(name)], [1, true], text);
        }
    });
  });

  it('the bank picker is a combobox that works with the keyboard', async () => {
    await visit('bank', async (page) => {
      const before = stage.server.posted.length;
      const search = page.getByRole('combobox');
      await search.fill('b');
      await page.keyboard.press('Escape');
      assert.equal(await search.inputValue(), '');
      await search.pressSequentially('banco sant');
      await page.keyboard.press('ArrowDown');
      const active = await search.getAttribute('aria-activedescendant');
      assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
      await page.keyboard.press('Enter');
      const posted = await lastPosted(page, before);
      assert.deepEqual([posted['act'], posted['bank_id']], ['choose_bank', 'bank-2']);
    });
  });

  it('the bank picker queries the server when the page does not contain every bank', async () => {
    await visit('bank-many', async (page) => {
      await page.getByRole('searchbox').fill('x');
      await page.keyboard.press('Enter');
      await page.waitForURL(/bank_search=x/);
    });
  });

  it('the payer chooses a bank with one press', async () => {
    await visit('bank', async (page) => {
      const before = stage.server.posted.length;
      await page.getByRole('option', { name: 'ABN AMRO' }).click();
      const posted = await lastPosted(page, before);
      assert.deepEqual([posted['act'], posted['bank_id']], ['choose_bank', 'bank-1']);
    });
  });
});
