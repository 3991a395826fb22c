/**
 * A payer with a browser, who reads pages in their language and uses their controls. The actions at a bank are in
 * bank-acts.ts. The full run also checks each page and takes screenshots for human review.
 */
import type { BrowserContext, Page } from 'playwright-core';
import type { MerchantProfile } from '../../src/domain/merchants/merchant.ts';
import type { FormPaymentType } from '../../src/domain/methods/payment-type.ts';
import type { Catalogue } from '../../src/protocol/form/languages/catalogue.ts';
import { catalogueOf } from '../../src/protocol/form/languages/languages.ts';
import type { PayerAct } from '../../src/protocol/form/pages/page-view.ts';
import { openContext, PATIENCE_MS } from '../browser/chromium.ts';
import { FORM_REQUEST, type FormChange } from '../support/form/form-request.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { until } from '../support/tools/until.ts';
import { type Album, SIZES, type Way } from './album.ts';
import { SHOP_NAME, type WalkStage } from './walk-stage.ts';
import { type BrowserWatch, watchBrowser } from './watch-browser.ts';

const LOOK_EVERY_MS = 100;

export type Heading = (texts: Catalogue) => string;

export class WalkPayer {
  readonly order = 'N17';
  readonly stage: WalkStage;
  readonly merchant: TestMerchant;
  readonly way: Way;
  readonly context: BrowserContext;
  readonly watch: BrowserWatch;
  /** The faults of the pages that the payer saw. */
  readonly faults: string[] = [];
  /** The active tab. `newTab` changes it. */
  page: Page;
  readonly #texts: Catalogue;
  readonly #album: Album | undefined;

  constructor(stage: WalkStage, merchant: TestMerchant, way: Way, context: BrowserContext, page: Page, album?: Album) {
    this.stage = stage;
    this.merchant = merchant;
    this.way = way;
    this.context = context;
    this.watch = watchBrowser(context, [stage.gateway.url, stage.shop.origin]);
    this.page = page;
    this.#texts = catalogueOf(way.language);
    this.#album = album;
  }

  /** Returns the shop's link to the form. */
  link(change: FormChange = {}): string {
    const { merchant, order, stage, way } = this;
    const shop = stage.shop.profile(merchant.id).siteUrl ?? '';
    const lang = way.language === 'uk' ? 'ua' : way.language;
    const all = { ...FORM_REQUEST, merchant: merchant.id, order, lang, payment_url: shop, ...change };
    const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return `${stage.gateway.url}/payment/form?${new URLSearchParams(given)}`;
  }

  async open(change?: FormChange): Promise<void> {
    await this.page.goto(this.link(change));
  }

  /**
   * Waits for the page with that heading; the full run also checks it. On a busy machine, a result page may have redirected to
   * the shop already.
   */
  async at(heading: Heading): Promise<void> {
    await this.#heading(heading).or(this.#shop()).waitFor();
    if (!process.env['TEST_FULL'] || this.#isInShop()) return;
    this.faults.push(...((await this.#album?.look(this.page, this.way)) ?? []));
  }

  /** Waits until the page shows that heading. It updates itself, or without JavaScript through "Check again". */
  async becomes(heading: Heading): Promise<void> {
    const again = this.page.getByRole('link', { name: this.#texts.payment.checkAgain, exact: true });
    for (let looks = 0; !this.way.hasScript && looks < PATIENCE_MS / LOOK_EVERY_MS; looks++) {
      if (await this.#heading(heading).isVisible()) break;
      await this.page.waitForTimeout(LOOK_EVERY_MS);
      if (await again.isVisible()) await again.click();
    }
    await this.#heading(heading).waitFor({ timeout: PATIENCE_MS });
    await this.at(heading);
  }

  async press(act: PayerAct): Promise<void> {
    await this.page.locator(`form:has(input[name="act"][value="${act}"]) button`).first().click();
    if (act === 'cancel') await this.#confirmCancel();
  }

  /** Confirms if the page asks, because the payer may be completing the payment elsewhere. */
  async #confirmCancel(): Promise<void> {
    const question = this.#heading((texts) => texts.cancelQuestion.title);
    const ends = (['cancelled', 'paid', 'expired'] as const).map((end) => this.#heading((texts) => texts.ended[end]));
    await ends
      .reduce((one, other) => one.or(other), question.or(this.#shop()))
      .first()
      .waitFor();
    if (!(await question.isVisible())) return;
    await this.at((texts) => texts.cancelQuestion.title);
    await this.page.locator('main form:has(input[name="act"][value="cancel"]) button').click();
  }

  async choose(paymentType: FormPaymentType): Promise<void> {
    await this.page.locator(`button[name="payment_type"][value="${paymentType}"]`).click();
  }

  async type(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [id, text] of Object.entries(fields)) await this.page.locator(`#${id}`).fill(text);
  }

  /**
   * Presses the link back to the shop on a result page, without waiting for the redirect. `shop` is the shop's name on the
   * page.
   */
  async goBack(shop = SHOP_NAME): Promise<void> {
    await this.#wayBack(shop).or(this.#shop()).click();
  }

  /** Returns to the shop through the first page that offers a link, or through the redirect. */
  async backInShop(): Promise<void> {
    const again = this.page.getByRole('link', { name: this.#texts.payment.checkAgain, exact: true });
    for (let looks = 0; looks < PATIENCE_MS / LOOK_EVERY_MS; looks++) {
      if (this.#isInShop()) return;
      for (const link of [this.#wayBack(), again])
        if (await link.isVisible()) await link.click({ timeout: 1_000 }).catch(() => undefined);
      await this.page.waitForTimeout(LOOK_EVERY_MS);
    }
  }

  /** Opens the same URL in another tab. The first tab stays open. */
  async newTab(): Promise<Page> {
    const before = this.page;
    this.page = await this.context.newPage();
    await this.page.goto(before.url());
    return before;
  }

  /** First opens an empty page, because a tab that closes during a navigation may stay open. */
  async closeTab(): Promise<void> {
    const leave = () =>
      this.page.goto('about:blank').then(
        () => true,
        () => false,
      );
    await until('the tab is empty', leave);
    await this.page.close();
  }

  /** Runs `act` in a separate browser of the payer, such as the app of their bank. */
  async otherDevice<Result>(act: (page: Page) => Promise<Result>): Promise<Result> {
    const device = await openContext(this.stage.browser, { viewport: SIZES.phone });
    try {
      return await act(await device.newPage());
    } finally {
      await device.close();
    }
  }

  #isInShop(): boolean {
    return this.page.url().startsWith(this.stage.shop.origin);
  }

  #shop() {
    return this.page.getByRole('heading', { level: 1, name: /^The shop: / });
  }

  #heading(heading: Heading) {
    return this.page.getByRole('heading', { level: 1, name: heading(this.#texts), exact: true });
  }

  #wayBack(shop = SHOP_NAME) {
    const name = this.#texts.payment.backToShop(shop);
    return this.page.locator('main').getByRole('link', { name, exact: true });
  }
}

interface WalkPayerOptions {
  /** The merchant's settings. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  readonly profile?: Partial<MerchantProfile> | undefined;
  /** If undefined, no page is checked. */
  readonly album?: Album;
}

export async function createWalkPayer(
  stage: WalkStage,
  way: Way,
  { settings = {}, profile = {}, album }: WalkPayerOptions = {},
): Promise<WalkPayer> {
  const merchant = await stage.merchant(settings, profile);
  const context = await openContext(stage.browser, {
    viewport: SIZES[way.size],
    javaScriptEnabled: way.hasScript,
    reducedMotion: 'reduce',
    timezoneId: 'Asia/Almaty',
  });
  return new WalkPayer(stage, merchant, way, context, await context.newPage(), album);
}
