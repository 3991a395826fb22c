/**
 * The setup for provider tests: a complete gateway, every provider's simulator, and payers who arrive through a merchant's
 * link, each with a separate merchant. At the end of a test file, every payment must have its last checked state, and the
 * books must balance.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECOND_MS } from '../../../src/foundation/clock.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { createFormPayer } from '../form/form-payer.ts';
import { freePort, type RunningGateway, startGateway } from '../gateway/running-gateway.ts';
import { until } from '../tools/until.ts';
import { createWokenClock } from '../tools/woken-clock.ts';
import { createFormVisit, type FormVisit } from './form-visit.ts';
import { type NotificationTap, startNotificationTap } from './notification-tap.ts';
import type { Provider } from './provider.ts';
import { PROVIDERS, RAIL_NAMES, type RailName } from './providers.ts';

export type Providers = { readonly [Name in RailName]: Awaited<ReturnType<(typeof PROVIDERS)[Name]['start']>> };

export interface ProviderStage {
  readonly gateway: RunningGateway;
  readonly tap: NotificationTap;
  readonly providers: Providers;
  /** Opens the form for a payer. `funds` is the merchant's initial balance. */
  visit(rail: RailName, settings?: Readonly<Record<string, string>>, funds?: string): Promise<FormVisit>;
  /** Rejects if a payment has changed since its last check, or if the books do not balance. Closes in every case. */
  verifyAndClose(): Promise<void>;
}

/** The deadlines in the default order, but shorter. */
export const FORM_PACE = {
  payment: { timeoutMs: 6_000, notFoundProofMs: 300, askAfterMs: [150] },
  rail: { timeoutMs: 5_000, notFoundProofMs: 300, askAfterMs: [150] },
} as const;

/** The gateway's own interval. If a test that waits for it times out, the interval has changed. */
const EXPIRE_EVERY_MS = 10 * SECOND_MS;

/** `more` contains the variables of rails that are not form providers. */
export async function openProviderStage(more: EnvironmentVariables = {}): Promise<ProviderStage> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-form-providers-'));
  const port = await freePort();
  const tap = await startNotificationTap(() => `http://127.0.0.1:${port}`);
  const providers = await startProviders(tap.url, folder);
  const clock = createWokenClock();
  const variables = { ...more, ...variablesOf(providers), PORT: String(port), PUBLIC_URL: tap.url };
  const calls = new Map<string, string[]>(RAIL_NAMES.map((name) => [name, []]));
  const watch = {
    onRailCall: (rail: string, call: string, answer: string) => void calls.get(rail)?.push(`${call} ${answer}`),
  };
  const gateway = await startGateway({ variables, clock, pace: FORM_PACE, watch });
  await banksAreListed(gateway);
  const visits: FormVisit[] = [];
  return {
    gateway,
    tap,
    providers,
    async visit(rail, settings = {}, funds) {
      const { paymentType, currency } = PROVIDERS[rail];
      const merchant = await gateway.merchant({
        funds: funds === undefined ? {} : { [currency]: funds },
        settings: { [`fee_fixed.${paymentType}.${currency}`]: '0.50', ...settings },
      });
      const payer = createFormPayer(gateway.url, {});
      const expire = () => clock.wake(EXPIRE_EVERY_MS);
      const place = { gateway, provider: providers[rail], row: PROVIDERS[rail], expire };
      const payment = await createFormVisit({
        ...place,
        calls: calls.get(rail) ?? [],
        rail,
        merchant,
        payer,
        order: `F${visits.length + 1}`,
      });
      const visit = { ...payment, tapped: tap.rail(rail) };
      visits.push(visit);
      return visit;
    },
    async verifyAndClose() {
      try {
        for (const visit of visits) await visit.assertUnchanged();
      } finally {
        await Promise.all(Object.values(providers).map((provider: Provider) => provider.close()));
        await gateway.verifyAndStop().finally(async () => {
          await tap.close();
          await rm(folder, { recursive: true, force: true });
        });
      }
    },
  };
}

export async function startProviders(gatewayUrl: string, folder: string): Promise<Providers> {
  const started = RAIL_NAMES.map(async (name) => {
    const own = join(folder, name);
    await mkdir(own);
    return [name, await PROVIDERS[name].start({ gatewayUrl, folder: own })] as const;
  });
  return Object.fromEntries(await Promise.all(started)) as Providers;
}

export function variablesOf(providers: Providers): EnvironmentVariables {
  return Object.assign({}, ...Object.values(providers).map(({ variables }: Provider) => variables));
}

/** Waits for the bank list, which the gateway requests when it starts. */
async function banksAreListed({ url }: RunningGateway): Promise<void> {
  await until('the bank list has entries', async () => {
    const answer = await fetch(`${url}/api/v2/open-banking/banks?country=FI`);
    const { banks = [] } = (await answer.json()) as { banks?: unknown[] };
    return banks.length > 0;
  });
}
