/** The payout rails side by side, from their own properties. Each rail is created as in production, but makes no call. */
import type { PayoutRail } from '../../src/domain/payouts/payout-rail.ts';
import { railsInOrder } from '../../src/domain/payouts/rail-choice/rank-rails.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from '../../src/foundation/clock.ts';
import { invariant } from '../../src/foundation/invariant.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { readConfig } from '../../src/main/config/config.ts';
import { PAYOUT_METHODS, payoutMethod } from '../../src/protocol/payout/method-table.ts';
import { createRails, RAIL_VARIABLES, RAILS, type Rails } from '../../src/rails/registry.ts';

const NOWHERE = 'https://127.0.0.1:1';
const ADDRESSES = Object.keys(RAIL_VARIABLES).filter((name) => name.endsWith('_URL'));

/** The rails with a provider. */
const PROVIDERS = new Set(
  Object.values(RAILS)
    .filter(({ isOnWith }) => isOnWith !== null)
    .map(({ name }) => name),
);

function timeText(ms: number): string {
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  return ms % MINUTE_MS === 0 ? `${ms / MINUTE_MS} min` : `${ms / SECOND_MS} s`;
}

function methodsText({ methods }: PayoutRail): string {
  const currencies = new Set([...methods].map((method) => payoutMethod(method)?.currency));
  return `${[...methods].join(', ')}: ${[...currencies].join(', ')}`;
}

const YES = { true: 'yes', false: 'no' } as const;

/** Creates the rails as in production with every provider configured, but makes no call. */
async function makeRails(): Promise<Rails> {
  const config = readConfig(Object.fromEntries(ADDRESSES.map((name) => [name, NOWHERE])));
  invariant(config.ok, 'the rails cannot be configured for their table');
  const rails = createRails(config.value.rails, {
    hooks: { onCredentialRefused: () => undefined },
    clock: systemClock,
    random: systemRandom,
  });
  await rails.close();
  return rails;
}

/** Returns each method's mandatory fields, and the additional requirements of its rails in their default order. */
export async function carrierRows(): Promise<readonly (readonly string[])[]> {
  const { payoutRails } = await makeRails();
  return PAYOUT_METHODS.map(({ number, fields }) => {
    const carriers = railsInOrder(payoutRails, number);
    const mandatory = fields.filter((field) => field.mandatory).map(({ name }) => `\`${name}\``);
    const demands = carriers.map(({ name, needs = [], accounts }) => {
      const optional = needs.filter((need) => fields.some((field) => field.name === need && !field.mandatory));
      const demand = [
        ...optional.map((need) => `needs \`${need}\``),
        ...(accounts ? [`${accounts.scheme} cards only`] : []),
      ];
      return demand.length > 0 ? `${name}: ${demand.join(', ')}` : name;
    });
    return [String(number), mandatory.join(', '), demands.join('; then ')];
  });
}

export async function payoutRailRows(): Promise<readonly (readonly string[])[]> {
  const rails = await makeRails();
  const lists = new Set(rails.payoutListers.map(({ rail }) => rail));
  const balances = new Set(rails.floatReaders.map(({ rail }) => rail));
  return rails.payoutRails
    .filter(({ name, methods }) => PROVIDERS.has(name) && [...methods].some((method) => payoutMethod(method)))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((rail) => [
      `[\`${rail.name}\`](#${rail.name})`,
      methodsText(rail),
      timeText(rail.timeoutMs),
      rail.askAfterMs.map(timeText).join(', '),
      timeText(rail.notFoundProofMs),
      String(rail.concurrency),
      YES[`${rail.notifies}`],
      YES[`${lists.has(rail.name)}`],
      YES[`${balances.has(rail.name)}`],
    ]);
}
