/** Checks for every page of the portal: it is accessible, fits its screen and obeys its CSP. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { en } from '../../../../portal/src/words/en/en.ts';
import type { Language } from '../../../../portal/src/words/languages.ts';
import { loadWords } from '../../../../portal/src/words/translation.ts';
import type { Visitor } from './portal-stage.ts';

const IS_FULL = Boolean(process.env['TEST_FULL']);
/** Screenshots of the full run for human review. */
const SCREENSHOTS = join(import.meta.dirname, '../screenshots');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;
const SCHEMES = ['light', 'dark'] as const;

/** Languages by tag and name, each with the heading of each page. */
export const IN_OTHER_LANGUAGES = [
  [
    'uk',
    'Українська',
    {
      '/developers': 'Розробникам',
      '/settings': 'Налаштування',
      '/payouts/M1/U-1': /1,340\.50 UAH/,
      '/': 'Сьогодні',
      '/payouts': 'Виплати',
      '/deposits': 'Надходження',
      '/callbacks': 'Сповіщення',
      '/requests': 'Запити',
      '/balances': 'Баланси',
      '/approvals': 'Погодження',
      '/audit': 'Журнал дій',
      '/account': 'Ваш обліковий запис',
    },
  ],
  [
    'kk',
    'Қазақша',
    {
      '/settings': 'Баптаулар',
      '/developers': 'Әзірлеушілерге',
      '/': 'Бүгін',
      '/payouts/M1/U-1': /1,340\.50 UAH/,
      '/payouts': 'Шығыс төлемдер',
      '/deposits': 'Түсімдер',
      '/callbacks': 'Хабарламалар',
      '/requests': 'Сұраулар',
      '/balances': 'Баланстар',
      '/approvals': 'Мақұлдау',
      '/audit': 'Әрекеттер журналы',
      '/account': 'Тіркелгіңіз',
    },
  ],
] as const;

/** Waits until the page shows its heading and loads nothing more. */
export async function arrive({ page }: Visitor, heading: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
}

type Texts = Readonly<Record<string, unknown>>;

function leavesOf(texts: Texts): string[] {
  return Object.values(texts).flatMap((text) =>
    typeof text === 'string' ? [text] : text && typeof text === 'object' ? leavesOf(text as Texts) : [],
  );
}

/** The names of the API that a filter offers. */
const INTERFACE: readonly string[] = ['payout_send', 'payout_status'];

/** Returns English strings and codes on a page in another language. */
async function englishOf({ page }: Visitor): Promise<string[]> {
  const language = (await page.locator('html').getAttribute('lang')) as Language;
  if (language === 'en') return [];
  const own = new Set(leavesOf(await loadWords(language)));
  const { states, subjects, whyNot, payment, transferKinds, paymentTypes, roleNames, acts } = en;
  const codes = [
    states,
    subjects,
    whyNot,
    payment.accounts,
    payment.events,
    transferKinds,
    paymentTypes,
    roleNames,
    acts,
  ];
  const english = new Set([...leavesOf(en), ...codes.flatMap((names) => Object.keys(names))]);
  const texts = await page.evaluate<string[]>('probes.texts()');
  return texts
    .filter((text) => !INTERFACE.includes(text))
    .filter((text) => (english.has(text) && !own.has(text)) || /^[a-z]+(?:_[a-z]+)+$/.test(text))
    .map((text) => `English: ${text}`);
}

/** The title of the tab must equal the page's heading. The API reference is not a page of the portal. */
async function titleFaults({ page }: Visitor): Promise<string[]> {
  if ((await page.locator('#root').count()) === 0) return [];
  const [title = '', heading = ''] = await page.evaluate<string[]>(
    `[document.title, document.querySelector('h1').textContent].map((text) => text.replace(/\\s+/g, ' ').trim())`,
  );
  return title.startsWith(`${heading} · `) ? [] : [`title of the tab: ${title}`];
}

/** Checks each size in light and dark in the full run; otherwise one of the four, in rotation. */
async function faultsOf(visitor: Visitor, name: string, turn: number): Promise<string[]> {
  const views = Object.keys(SIZES).flatMap((size) => SCHEMES.map((scheme) => ({ size, scheme })));
  const faults = [...(await englishOf(visitor)), ...(await titleFaults(visitor))];
  for (const [size, box] of Object.entries(SIZES)) {
    await visitor.page.setViewportSize(box);
    faults.push(...(await visitor.page.evaluate<string[]>(`probes.broken('${size}')`)));
  }
  for (const { size, scheme } of IS_FULL ? views : [views[turn % views.length] ?? views[0]].filter((view) => !!view)) {
    await visitor.page.emulateMedia({ colorScheme: scheme });
    await visitor.page.setViewportSize(SIZES[size as keyof typeof SIZES]);
    faults.push(...(await visitor.page.evaluate<string[]>('probes.moving()')));
    faults.push(...(await visitor.page.evaluate<string[]>(`probes.overflow('${size}')`)));
    // The full run has already checked this size in light, so only the colours are new.
    faults.push(...(await visitor.violations(IS_FULL && scheme === 'dark' ? 'colours' : 'all')));
    if (IS_FULL)
      await visitor.page.screenshot({ path: join(SCREENSHOTS, `${name}.${size}.${scheme}.png`), fullPage: true });
  }
  return faults;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Page contents that were already checked in every size and scheme. */
export type SeenContents = Set<string>;

/** False if the content differs from one already checked only in digits, such as a time, or in a request id. */
function isNew(content: string, seen: SeenContents): boolean {
  const before = seen.size;
  return seen.add(content.replace(UUID, '').replace(/\d+/g, '0')).size > before;
}

/**
 * Returns the pages with faults. The first page is always checked, because of the menu; other pages only if their content is
 * new. `prefix` begins the names of screenshots. `more` returns further faults of the open page.
 */
export async function faultsOfPages(
  visitor: Visitor,
  pages: Readonly<Record<string, string | RegExp>>,
  prefix: string,
  seen: SeenContents,
  more: () => Promise<string[]> = async () => [],
): Promise<Record<string, string[]>> {
  if (IS_FULL) mkdirSync(SCREENSHOTS, { recursive: true });
  const wrong: Record<string, string[]> = {};
  for (const [turn, [path, heading]] of Object.entries(pages).entries()) {
    await visitor.goto(path);
    await arrive(visitor, heading);
    const name = prefix + (path.replaceAll('/', '-').slice(1) || 'home');
    const isLookedAt = isNew(await visitor.page.evaluate<string>('probes.content()'), seen) || turn === 0;
    const faults = isLookedAt ? await faultsOf(visitor, name, turn) : [];
    faults.push(...(await more()), ...visitor.offences.splice(0));
    if (faults.length > 0) wrong[path] = faults;
  }
  await visitor.page.setViewportSize(SIZES.desktop);
  return wrong;
}

/** Throws with the faults of each page. `prefix` begins the names of screenshots. */
export async function assertSound(
  visitor: Visitor,
  pages: Readonly<Record<string, string | RegExp>>,
  prefix = '',
): Promise<void> {
  assert.deepEqual(await faultsOfPages(visitor, pages, prefix, new Set()), {});
}
