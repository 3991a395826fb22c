/** The checks of every page of the portal: it is accessible, fits its screen, and keeps the policy of its content. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { en } from '../../../portal/src/words/en/en.ts';
import type { Language } from '../../../portal/src/words/languages.ts';
import { loadWords } from '../../../portal/src/words/translation.ts';
import type { Visitor } from './portal-stage.ts';

const IS_FULL = Boolean(process.env['TEST_FULL']);
/** Screenshots of the full run, for a person’s review. */
const SCREENSHOTS = join(import.meta.dirname, 'screenshots');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;
const SCHEMES = ['light', 'dark'] as const;

/** A language by its tag and name, with the heading of each page. */
export const IN_OTHER_LANGUAGES = [
  [
    'uk',
    'Українська',
    {
      '/settings': 'Налаштування',
      '/payouts/M1/U-1': /1,340\.50 UAH/,
      '/': 'Сьогодні',
      '/payouts': 'Виплати',
      '/deposits': 'Надходження',
      '/callbacks': 'Сповіщення',
      '/requests': 'Запити',
      '/balances': 'Баланси',
      '/approvals': 'Погодження',
      '/developers': 'Розробникам',
      '/audit': 'Журнал дій',
      '/account': 'Ваш обліковий запис',
    },
  ],
  [
    'kk',
    'Қазақша',
    {
      '/developers': 'Әзірлеушілерге',
      '/': 'Бүгін',
      '/settings': 'Баптаулар',
      '/payouts/M1/U-1': /1,340\.50 UAH/,
      '/payouts': 'Төлемдер',
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

/** Waits until the page has its heading, and nothing on it is being loaded. */
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

/** The interface’s own names, which a filter offers. */
const INTERFACE: readonly string[] = ['payout_send', 'payout_status'];

/** English texts and codes on a page in another language. */
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

/** Each size in light and dark in the full run; otherwise one of the four, in rotation. */
async function faultsOf(visitor: Visitor, name: string | null, turn: number): Promise<string[]> {
  const views = Object.keys(SIZES).flatMap((size) => SCHEMES.map((scheme) => ({ size, scheme })));
  const faults = await englishOf(visitor);
  for (const { size, scheme } of IS_FULL ? views : [views[turn % views.length] ?? views[0]].filter((view) => !!view)) {
    await visitor.page.emulateMedia({ colorScheme: scheme });
    await visitor.page.setViewportSize(SIZES[size as keyof typeof SIZES]);
    faults.push(...(await visitor.page.evaluate<string[]>('probes.moving()')));
    faults.push(...(await visitor.page.evaluate<string[]>(`probes.overflow('${size}')`)));
    faults.push(...(await visitor.violations()));
    if (IS_FULL && name !== null)
      await visitor.page.screenshot({ path: join(SCREENSHOTS, `${name}.${size}.${scheme}.png`), fullPage: true });
  }
  return [...faults, ...visitor.offences.splice(0)];
}

/** Throws with the faults of each page. `pages`: its heading by its path. `prefix`: of its screenshots; null: none. */
export async function assertSound(
  visitor: Visitor,
  pages: Readonly<Record<string, string | RegExp>>,
  prefix: string | null = '',
): Promise<void> {
  if (IS_FULL) mkdirSync(SCREENSHOTS, { recursive: true });
  const wrong: Record<string, string[]> = {};
  for (const [turn, [path, heading]] of Object.entries(pages).entries()) {
    await visitor.goto(path);
    await arrive(visitor, heading);
    const name = prefix === null ? null : prefix + (path.replaceAll('/', '-').slice(1) || 'home');
    const faults = await faultsOf(visitor, name, turn);
    if (faults.length > 0) wrong[path] = faults;
  }
  await visitor.page.setViewportSize(SIZES.desktop);
  assert.deepEqual(wrong, {});
}
