/** A walk as data: the payer's settings, their actions and the expected outcome. The checks then query each side separately. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MerchantProfile } from '../../src/domain/merchants/merchant.ts';
import type { FormPaymentType } from '../../src/domain/methods/payment-type.ts';
import type { Language } from '../../src/domain/payments/form-session.ts';
import { PAGE_LANGUAGES } from '../../src/protocol/form/languages/languages.ts';
import { FORM_REQUEST, type FormChange } from '../support/form/form-request.ts';
import { assertGenuine } from '../support/servers/callback-receiver.ts';
import { until } from '../support/tools/until.ts';
import { type Album, openAlbums, type Way } from './album.ts';
import { withFaults } from './bank-acts.ts';
import { createWalkPayer, type WalkPayer } from './walk-payer.ts';
import type { WalkStage } from './walk-stage.ts';

export interface Walk {
  /** A sentence about the payer's action and its result. */
  readonly name: string;
  readonly request: FormChange;
  /** The payment types whose provider pages the browser may open. */
  readonly meets?: readonly FormPaymentType[];
  /** The merchant's settings. The function gets the shop's origin. */
  readonly settings?: Readonly<Record<string, string>> | ((shop: string) => Readonly<Record<string, string>>);
  readonly profile?: Partial<MerchantProfile>;
  /** The faults of the first provider in `meets`, until the checks end. */
  readonly faults?: Readonly<Record<string, unknown>>;
  /** If set, the walk sets faults itself, and no other walk may use the provider at the same time. */
  readonly isAlone?: true;
  /** If set, the walk also runs without JavaScript. */
  readonly plain?: true;
  /** Slow walks run only in the full run, and once. */
  readonly slow?: true;
  /** Runs only in the full run: tests without a browser cover its outcome, and other walks show its pages. */
  readonly covered?: true;
  readonly act: (payer: WalkPayer) => Promise<void>;
  readonly ends: WalkEnd;
}

interface WalkEnd {
  /** The state of the deposit with its reason, and of each attempt. Empty if there is no deposit. */
  readonly state: string;
  /** The last page of the browser: a page of the shop, or a page of the form. */
  readonly at: 'paid' | 'failed' | 'page';
  /** The result in the merchant's callback. Null if there is no callback. */
  readonly callback: 'success' | 'fail' | null;
  /** The number of charges in the provider's book. */
  readonly charges: 0 | 1;
  /** The result in the shop's URL, if it differs from the callback because the payer returned first. */
  readonly result?: 'success' | 'canceled';
}

export const PAID = (tries: string): WalkEnd => ({
  state: `success ${tries}`,
  at: 'paid',
  callback: 'success',
  charges: 1,
});

export const FAILED = (state: string): WalkEnd => ({
  state: `fail ${state}`,
  at: 'failed',
  callback: 'fail',
  charges: 0,
});

const IS_FULL = Boolean(process.env['TEST_FULL']);

const SCRIPTED = PAGE_LANGUAGES.flatMap((language) =>
  (['phone', 'desktop'] as const).map((size): Way => ({ language, size, hasScript: true })),
);

/**
 * In the full run, every language with and without JavaScript. The size alternates, because the album shows each page in both
 * sizes. Otherwise one combination, rotating over the walks so that together they cover all.
 */
function waysOf(walk: Walk, index: number): readonly Way[] {
  const ways = walk.plain ? SCRIPTED.flatMap((way) => [way, { ...way, hasScript: false }]) : SCRIPTED;
  if (IS_FULL && !walk.slow) return ways.filter(({ language, size }) => sizeOf(language, index) === size);
  const turn = index % ways.length;
  return ways.slice(turn, turn + 1);
}

function sizeOf(language: Language, index: number): Way['size'] {
  return (PAGE_LANGUAGES.indexOf(language) + index) % 2 === 0 ? 'phone' : 'desktop';
}

/** A time longer than the slowest walk, so that a hanging walk fails under its own name. */
const WALK_MS = 240_000;
/** The maximum delay of a provider's notification on a busy machine. */
const SETTLED_WITHIN_MS = 90_000;

/** The number of concurrent walks in the full run. A walk mostly waits for its page or bank. */
const CONCURRENCY = 4;

/** Registers the walks as tests. */
export function describeWalks(title: string, stage: () => WalkStage, walks: readonly Walk[]): void {
  const albumOf = openAlbums(title);
  const shown = walks
    .map((walk, index) => ({ walk, ways: waysOf(walk, index) }))
    .filter(({ walk }) => IS_FULL || !(walk.slow || walk.covered));
  const register = (isAlone: boolean) => () => {
    for (const { walk, ways } of shown.filter((each) => needsProviderAlone(each.walk) === isAlone))
      for (const way of ways)
        it(`${walk.name} (${nameOf(way)})`, { timeout: WALK_MS }, () => walkIt(stage(), walk, way, albumOf(walk.name)));
  };
  describe(title, { concurrency: IS_FULL ? CONCURRENCY : 1 }, register(false));
  if (shown.some(({ walk }) => needsProviderAlone(walk))) describe(`${title}, one at a time`, register(true));
}

function needsProviderAlone({ faults, isAlone }: Walk): boolean {
  return faults !== undefined || isAlone === true;
}

function nameOf({ language, size, hasScript }: Way): string {
  return `${language}, ${size}${hasScript ? '' : ', without JavaScript'}`;
}

async function walkIt(stage: WalkStage, walk: Walk, way: Way, album: Album): Promise<void> {
  const { profile, settings: given } = walk;
  const settings = typeof given === 'function' ? given(stage.shop.origin) : given;
  const payer = await createWalkPayer(stage, way, { settings, profile, album });
  payer.watch.expect(...(walk.meets ?? []).map((type) => stage.side(type).pages));
  const walkAndJudge = async () => {
    await payer.open(walk.request);
    await walk.act(payer);
    await judge(payer, walk);
  };
  const [type] = walk.meets ?? [];
  try {
    await (walk.faults && type ? withFaults(payer, type, walk.faults, walkAndJudge) : walkAndJudge());
  } catch (error) {
    await album.photograph(payer.page, way, 'failed');
    throw error;
  } finally {
    await payer.context.close();
  }
}

/** Queries the database, the merchant, the provider's book and the browser separately. */
async function judge(payer: WalkPayer, { ends, request }: Pick<Walk, 'ends' | 'request'>): Promise<void> {
  const { stage, merchant, order } = payer;
  if (ends.at !== 'page') await payer.page.waitForURL((url) => url.origin === stage.shop.origin);
  const standing = await until(
    'the payment has the expected state',
    async () => {
      const found = await stage.standing(merchant.id, order);
      return describeStanding(found) === ends.state && { found };
    },
    SETTLED_WITHIN_MS,
  ).catch(async (error: Error) => {
    throw new Error(
      `${error.message}: ${describeStanding(await stage.standing(merchant.id, order))}, not ${ends.state}`,
    );
  });
  const asked = { ...FORM_REQUEST, ...request };
  const transactionId = standing.found?.transactionId;
  await assertCallback(payer, ends, asked, transactionId);
  assertBack(payer, ends, asked, transactionId);
  assert.equal(await chargesOf(payer, standing.found?.attempts ?? []), ends.charges, 'charges in the provider’s book');
  assert.deepEqual([...payer.watch.offences, ...payer.faults], []);
  await assertCookies(payer);
}

/** The gateway sets the only cookie. Scripts and other sites cannot read it. */
async function assertCookies({ context }: WalkPayer): Promise<void> {
  for (const { name, httpOnly, secure } of await context.cookies())
    assert.deepEqual([name, httpOnly, secure], ['__Host-visitor', true, true]);
}

function describeStanding(standing: Awaited<ReturnType<WalkStage['standing']>>): string {
  if (!standing) return '';
  const { state, failReason, attempts } = standing;
  return [state, ...(failReason === null ? [] : [failReason]), ...attempts.map((attempt) => attempt.state)].join(' ');
}

type Asked = Readonly<Record<string, string | undefined>>;

async function assertCallback(
  payer: WalkPayer,
  { callback }: WalkEnd,
  asked: Asked,
  transactionId: number | undefined,
) {
  const { stage, merchant, order } = payer;
  const { receiver } = stage.gateway;
  if (callback === null) return assert.deepEqual(receiver.about(merchant.id, order), []);
  const [arrival, ...others] = await until('the callback of the merchant', () => {
    const arrivals = receiver.about(merchant.id, order);
    return arrivals.length > 0 && arrivals;
  });
  assert.ok(arrival);
  assert.deepEqual(others, []);
  assertGenuine(arrival, merchant.key);
  const { fields } = arrival;
  const amount = callback === 'success' ? asked['amount'] : '0.00';
  assert.deepEqual(
    [fields['co_inv_st'], fields['co_inv_id'], fields['co_amount'], fields['co_cur'], fields['co_base_amount']],
    [callback, String(transactionId), amount, asked['currency'], asked['amount']],
  );
}

function assertBack(payer: WalkPayer, ends: WalkEnd, asked: Asked, transactionId: number | undefined) {
  const visits = payer.stage.shop.visits(payer.merchant.id);
  if (ends.at === 'page') return assert.deepEqual(visits, []);
  const result = ends.result ?? (ends.callback === 'success' ? 'success' : 'canceled');
  const query = {
    own: '1',
    order_no: payer.order,
    amount: asked['amount'],
    currency_code: asked['currency'],
    item_name: asked['item_name'],
    ...(transactionId === undefined ? {} : { co_inv_id: String(transactionId) }),
    co_inv_st: result,
  };
  // A page may already be redirecting to the shop when the payer presses its link.
  assert.ok(visits.length > 0, 'the payer returned to the shop');
  for (const visit of visits) assert.deepEqual(visit, { place: ends.at, query });
}

const RAIL_TYPES: Readonly<Record<string, FormPaymentType>> = {
  adyen: 'card',
  pix: 'instant_bank',
  trustly: 'bank_transfer_iframe',
  'token-io': 'open_banking',
  vopay: 'e_transfer',
};

async function chargesOf(
  { stage }: WalkPayer,
  attempts: readonly { readonly rail: string; readonly reference: string }[],
): Promise<number> {
  let charges = 0;
  for (const { rail, reference } of attempts) {
    const type = RAIL_TYPES[rail];
    assert.ok(type, `${rail} is a rail that is walked`);
    charges += await stage.side(type).charges({ reference, providerReference: '' });
  }
  return charges;
}
