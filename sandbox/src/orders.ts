/** The orders that a merchant may give to their world. Each order is one signed request to `/{merchant}/sandbox`. */
import { DAY_MS, formatUtc, SECOND_MS } from '../../gateway/src/foundation/clock.ts';
import { formatAmount } from '../../gateway/src/foundation/money.ts';
import type { World } from './world.ts';

export interface Answer {
  readonly status: number;
  readonly body: object;
}

type Fields = Readonly<Record<string, unknown>>;

/** No request of the interface has this field, so nothing else that a merchant signs is an order. */
const ORDER = 'sandbox_order';

export interface OrderedWorld {
  readonly merchantId: string;
  readonly world: () => World;
  /** Deletes the world's data and opens it again, with the same keys and addresses. */
  readonly reset: () => Promise<void>;
  /** Runs one order after the other. Rejects an order if too many wait. */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** A process of the gateway may know an earlier state of a merchant for this long. */
const EDIT_SEEN_AFTER_MS = 1 * SECOND_MS;

const LONGEST_ADVANCE_MS = 400 * DAY_MS;

const ORDERS: Readonly<Record<string, (ordered: OrderedWorld, fields: Fields) => Promise<Answer>>> = {
  state: async (ordered) => ({ status: 200, body: await describe(ordered) }),

  async advance(ordered, { ms }) {
    if (!Number.isSafeInteger(ms) || Number(ms) <= 0 || Number(ms) > LONGEST_ADVANCE_MS)
      return invalid('ms accepts milliseconds, up to 400 days');
    const jumps = await ordered.world().advance(Number(ms));
    return { status: 200, body: { ...(await describe(ordered)), jumps } };
  },

  async reset(ordered) {
    await ordered.reset();
    return { status: 200, body: await describe(ordered) };
  },

  async addresses({ world, merchantId }, { [ORDER]: _order, settings = {}, ...profile }) {
    if (typeof settings !== 'object' || settings === null || !Object.values(settings).every(isText))
      return invalid('settings accepts an object of strings');
    const edit = { profile, settings: { ...settings } };
    const edited = await world().gateway.operations.merchants.edit(merchantId, edit);
    if (!edited.ok) return invalid(JSON.stringify(edited.error));
    await world().advance(EDIT_SEEN_AFTER_MS);
    return { status: 200, body: { ...profile, ...settings } };
  },

  async bank({ world }, { bank, path, body }) {
    if (typeof path !== 'string' || !/^[a-z-]+(?:\?[\w=&]*)?$/.test(path))
      return invalid('path accepts an action of the bank');
    const answer = await world().banks.order(String(bank), path, body);
    if (answer) return { status: answer.status, body: { answer: answer.body } };
    return invalid(`bank accepts ${world().banks.names.join(', ')}`);
  },
};

export async function obey(ordered: OrderedWorld, bytes: Buffer): Promise<Answer> {
  const fields = parse(bytes);
  const order = fields && Object.hasOwn(ORDERS, String(fields[ORDER])) ? ORDERS[String(fields[ORDER])] : undefined;
  if (!fields || !order) return invalid(`${ORDER} accepts ${Object.keys(ORDERS).join(', ')}`);
  return order(ordered, fields);
}

function parse(bytes: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown) => typeof value === 'string';

function invalid(error: string): Answer {
  return { status: 400, body: { error } };
}

async function describe({ world, merchantId }: OrderedWorld) {
  const { clock, seed, gateway, banks } = world();
  const found = await gateway.operations.merchants.find(merchantId);
  const broken = (await gateway.operations.books.verify()).filter(({ holds }) => !holds).map(({ name }) => name);
  const balances = [...(found?.balances ?? [])].map(([currency, { available = 0n, reserved = 0n }]) => ({
    currency,
    available: formatAmount({ currency, minor: available }),
    reserved: formatAmount({ currency, minor: reserved }),
  }));
  return { merchant: merchantId, now: formatUtc(clock.now()), seed, balances, broken, banks: banks.names };
}
