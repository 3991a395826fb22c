/** Payer actions on the form pages, in a real browser with sample pages. No gateway is involved. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { until } from '../support/tools/until.ts';
import { SAMPLES } from './page-samples.ts';
import { openPageStage, type PageStage } from './page-stage.ts';
import { visitsOf } from './visits.ts';

let stage: PageStage;
const { visit, lastPosted } = visitsOf(() => stage);

before(async () => {
  stage = await openPageStage();
});
after(() => stage.close());

async function fillCard(page: Page, number = '4111111111111111'): Promise<void> {
  await page.locator('#card_number').pressSequentially(number);
  await page.locator('#card_expiry').pressSequentially('1239');
  await page.locator('#card_cvv').pressSequentially('737');
  await page.locator('#card_holder').fill('JOANA SILVA');
}

function value(page: Page, id: string): Promise<string> {
  return page.locator(`#${id}`).inputValue();
}

describe('the card page', () => {
  it('the card page groups the digits, shows the brand and inserts the slash of the date', async () => {
    await visit('card', async (page) => {
      await fillCard(page);
      assert.equal(await value(page, 'card_number'), '4111 1111 1111 1111');
      assert.equal(await value(page, 'card_expiry'), '12/39');
      assert.equal(await page.locator('[data-brand-found]').textContent(), 'Visa');
      assert.equal(await page.locator('.brand[data-found] svg').getAttribute('aria-label'), 'Visa');
    });
  });

  const brands: Record<string, [number: string, grouped: string]> = {
    'American Express': ['378282246310005', '3782 822463 10005'],
    Mastercard: ['2223003122003222', '2223 0031 2200 3222'],
    Maestro: ['6759649826438453', '6759 6498 2643 8453'],
    UnionPay: ['6200000000000005', '6200 0000 0000 0005'],
    Discover: ['6011111111111117', '6011 1111 1111 1117'],
    RuPay: ['6521111111111117', '6521 1111 1111 1117'],
  };
  it('the card page recognises each brand by the first digits', async () => {
    await visit('card', async (page) => {
      for (const [name, [number, grouped]] of Object.entries(brands)) {
        await page.locator('#card_number').fill(number);
        assert.equal(await page.locator('[data-brand-found]').textContent(), name);
        assert.equal(await value(page, 'card_number'), grouped);
      }
    });
  });

  it('the caret stays in place when the payer corrects a digit on the card page', async () => {
    await visit('card', async (page) => {
      await page.locator('#card_number').fill('4111111111111111');
      await page
        .locator('#card_number')
        .evaluate((input: { setSelectionRange(a: number, b: number): void }) => input.setSelectionRange(6, 6));
      await page.keyboard.press('Backspace');
      await page.keyboard.press('9');
      assert.equal(await value(page, 'card_number'), '4111 9111 1111 1111');
    });
  });

  it('the card page accepts an autofilled expiry with a four-digit year', async () => {
    await visit('card', async (page) => {
      await page.locator('#card_expiry').fill('03/2039');
      assert.equal(await value(page, 'card_expiry'), '03/39');
    });
  });

  it('the card page shows an error next to its field before it sends anything', async () => {
    await visit('card', async (page) => {
      const before = stage.server.posted.length;
      await page.locator('#card_number').fill('4111111111111112');
      await page.locator('#card_expiry').fill('0120');
      await page.getByRole('button', { name: /^Pay/ }).click();
      assert.match((await page.locator('#card_number-error').textContent()) ?? '', /a digit is wrong or missing/);
      assert.match((await page.locator('#card_expiry-error').textContent()) ?? '', /This card has expired/);
      assert.match((await page.locator('#card_cvv-error').textContent()) ?? '', /Enter the security code/);
      assert.equal(await page.locator('#card_number').getAttribute('aria-invalid'), 'true');
      assert.equal(await page.evaluate('document.activeElement.id'), 'card_number');
      await page.locator('#card_number').fill('4111111111111111');
      assert.equal(await page.locator('#card_number-error').isVisible(), false);
      assert.equal(stage.server.posted.length, before);
    });
  });

  it('a double press on Pay sends the card once, with the browser data for 3-D Secure', async () => {
    await visit('card', async (page) => {
      const before = stage.server.posted.length;
      await fillCard(page);
      await page.getByRole('button', { name: /^Pay/ }).dblclick();
      const posted = await lastPosted(page, before);
      assert.equal(stage.server.posted.length, before + 1);
      assert.equal(posted['act'], 'pay');
      assert.equal(posted['csrf'], 'csrf-token');
      assert.equal(posted['card_number'], '4111 1111 1111 1111');
      assert.equal(posted['browser_screen_width'], '360');
      assert.equal(posted['browser_java_script'], 'true');
    });
  });

  it('a payer fills in and sends the card page with only the keyboard, in reading order', async () => {
    await visit('card', async (page) => {
      const before = stage.server.posted.length;
      await page.keyboard.press('Tab');
      assert.equal(await page.locator('nav.languages summary').evaluate('document.activeElement.tagName'), 'SUMMARY');
      for (const text of ['4111111111111111', '1239', '737', 'JOANA SILVA']) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
      assert.equal((await lastPosted(page, before))['card_holder'], 'JOANA SILVA');
    });
  });

  it('the list of errors has the focus when the card page returns with errors', async () => {
    await visit('card-errors', async (page) => {
      assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'alert');
      await page.locator('.notice a').nth(2).click();
      assert.equal(await page.evaluate('document.activeElement.id'), 'card_cvv');
    });
  });
});

describe('the choice of the payment type', () => {
  it('the choice of the payment type shows the accepted brands and the mark of each scheme as pictures', async () => {
    await visit('choose', async (page) => {
      for (const name of ['Visa', 'Mastercard']) await page.getByRole('img', { name, exact: true }).waitFor();
      for (const scheme of ['open_banking', 'e_transfer', 'instant_bank'])
        assert.equal(await page.locator(`button[value="${scheme}"] svg.mark`).count(), 1, scheme);
    });
  });
});

describe('every page of the form', () => {
  it('the keyboard reaches every control of a page, with a visible focus', async () => {
    const watched = await stage.open({ viewport: { width: 1280, height: 800 } });
    for (const name of ['choose', 'card', 'details', 'bank', 'code', 'refused-declined', 'leave-bank']) {
      await watched.page.goto(`${stage.server.origin}/page/${name}?lang=kk`);
      const reachable = await watched.page.evaluate<string[]>('probes.reachable()');
      const reached: string[] = [];
      for (let press = 0; press < reachable.length; press++) {
        await watched.page.keyboard.press('Tab');
        const focused = await watched.page.evaluate<{ name: string; isVisible: boolean } | null>('probes.focused()');
        assert.ok(focused?.isVisible, `${name}: ${focused?.name}`);
        reached.push(focused.name);
      }
      assert.deepEqual(reached, reachable, name);
    }
    await watched.context.close();
  });

  it('a page shows a countdown to its deadline', async () => {
    await visit('card', async (page) => {
      assert.match((await page.locator('.deadline').textContent()) ?? '', /2[34]:\d\d left/);
    });
  });

  it('a page shows the end of a long time to pay as a day and hour of the payer’s zone', async () => {
    for (const timeZone of ['Asia/Almaty', 'America/Mexico_City']) {
      const hours = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', minute: '2-digit' });
      const read = async (page: Page) => {
        const shown = (await page.locator('.deadline').textContent()) ?? '';
        assert.match(shown, /Pay by (?:today|tomorrow) /);
        const ends = Date.now() + 23.5 * 3_600_000;
        assert.ok(
          [ends, ends - 60_000].some((end) => shown.endsWith(hours.format(end))),
          shown,
        );
      };
      await visit('card-errors', read, { timezoneId: timeZone });
    }
  });

  it('the first load of a page is at most 20 kB, compressed', async () => {
    const watched = await stage.open();
    const bodies: Promise<Buffer>[] = [];
    watched.page.on('response', (response) => void bodies.push(response.body()));
    await watched.page.goto(`${stage.server.origin}/page/card-errors?lang=kk`, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
    assert.ok(bytes > 5_000 && bytes <= 20_000, `${bytes} bytes`);
    await watched.context.close();
  });
});

describe('a waiting page', () => {
  it('a Pix page shows the code to copy first on a phone and the QR code first on a desktop', async () => {
    for (const width of [390, 1280]) {
      const compare = async (page: Page) => {
        const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
        assert.equal((await top('[data-copy]')) < (await top('.qr')), width === 390, `${width}`);
      };
      await visit('code', compare, { viewport: { width, height: 800 } });
    }
  });

  for (const name of ['waiting-bank', 'message', 'code']) {
    it(`a waiting page reloads when the payment changes: ${name}`, async () => {
      await visit(name, async (page) => {
        const reloaded = page.waitForEvent('load');
        await stage.server.announce(name, '2');
        await reloaded;
      });
    });
  }

  it('a waiting page shows the response to the payer’s own post, whatever events arrive before it', async () => {
    await visit('code', async (page) => {
      const release = stage.server.holdPosts();
      await page.locator('form:has(input[name="act"][value="cancel"]) button').click({ noWaitAfter: true });
      await page.waitForTimeout(300);
      await stage.server.announce('code', '3');
      await page.waitForTimeout(700);
      release();
      await until('the answer', async () => (await page.title()) === 'taken');
    });
  });

  it('a waiting page polls if server-sent events are blocked', async () => {
    const watched = await stage.open();
    const { page } = watched;
    stage.server.changeWithoutEvent('waiting-settlement', '1');
    await page.goto(`${stage.server.origin}/page/waiting-settlement?lang=en`);
    await page.waitForRequest(/\/version\//);
    const reloaded = page.waitForEvent('load');
    stage.server.changeWithoutEvent('waiting-settlement', '2');
    await reloaded;
    await watched.context.close();
  });

  it('the Copy button puts the Pix code on the clipboard', async () => {
    const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };
    await visit(
      'code',
      async (page) => {
        await page.getByRole('button', { name: 'Copy the code' }).click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        const copied = await page.evaluate<string>('navigator.clipboard.readText()');
        const view = SAMPLES['code'];
        assert.equal(copied, view?.kind === 'code' ? view.text : '');
      },
      permissions,
    );
  });
});

describe('a step at the bank', () => {
  it('the page continues when a bank’s framed step ends on our page', async () => {
    await visit('challenge', async (page) => {
      const frame = page.frame({ name: 'step' });
      await frame?.waitForURL(/^https:\/\/acs\.example/);
      assert.equal(await page.getByRole('button', { name: 'Open the bank’s page' }).isVisible(), false);
      const reloaded = page.waitForEvent('load');
      await frame?.goto(`${stage.server.origin}/page/frame-return?lang=en`).catch(() => undefined);
      await reloaded;
    });
  });

  it('the page continues after the fingerprint step and reports it completed', async () => {
    await visit('fingerprint', async (page) => {
      const before = stage.server.posted.length;
      const frame = page.frame({ name: 'step' });
      await frame?.waitForURL(/^https:\/\/acs\.example/);
      await frame?.goto(`${stage.server.origin}/page/frame-return?lang=en`).catch(() => undefined);
      const posted = await lastPosted(page, before);
      assert.deepEqual([posted['act'], posted['completed']], ['go_on', 'yes']);
    });
  });

  it('a message from another origin does not end a bank’s step', async () => {
    await visit('challenge', async (page) => {
      const frame = page.frame({ name: 'step' });
      await frame?.waitForURL(/^https:\/\/acs\.example/);
      await page.evaluate('window.isStillHere = true');
      await frame?.evaluate("window.parent.postMessage('payment-step-over', '*')");
      await page.waitForTimeout(200);
      assert.equal(await page.evaluate('window.isStillHere'), true);
    });
  });
});

describe('the form without JavaScript', () => {
  const withoutScript = { javaScriptEnabled: false };

  it('a card is paid without JavaScript', async () => {
    await visit(
      'card',
      async (page) => {
        const before = stage.server.posted.length;
        await fillCard(page);
        await page.getByRole('button', { name: /^Pay/ }).click();
        const posted = await lastPosted(page, before);
        assert.deepEqual([posted['card_number'], posted['browser_java_script']], ['4111111111111111', '']);
      },
      withoutScript,
    );
  });

  it('a challenge without JavaScript opens the bank’s page with a button', async () => {
    await visit(
      'challenge',
      async (page) => {
        assert.equal(await page.locator('iframe').isVisible(), false);
        const request = page.waitForRequest('https://acs.example/challenge');
        await page.getByRole('button', { name: 'Open the bank’s page' }).click();
        assert.equal((await request).postDataJSON().creq, 'eyJ0aHJlZSI6M30');
      },
      withoutScript,
    );
  });

  it('a fingerprint step without JavaScript is skipped with a button', async () => {
    await visit(
      'fingerprint',
      async (page) => {
        const before = stage.server.posted.length;
        await page.getByRole('button', { name: 'Continue' }).click();
        const posted = await lastPosted(page, before);
        assert.deepEqual([posted['act'], posted['completed']], ['go_on', 'no']);
      },
      withoutScript,
    );
  });

  it('a payer finds a bank without JavaScript by submitting a search', async () => {
    await visit(
      'bank',
      async (page) => {
        await page.getByRole('searchbox').fill('abn');
        await page.getByRole('button', { name: 'Search' }).click();
        await page.waitForURL(/bank_search=abn/);
      },
      withoutScript,
    );
  });

  it('a waiting page without JavaScript has a Check again link and no button that needs a script', async () => {
    await visit(
      'code',
      async (page) => {
        await page.getByRole('link', { name: 'Check again' }).waitFor();
        assert.equal(await page.getByRole('button', { name: 'Copy' }).isVisible(), false);
        assert.equal(await page.getByText('This page updates by itself.').isVisible(), false);
      },
      withoutScript,
    );
  });
});
