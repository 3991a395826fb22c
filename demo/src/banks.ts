/** The simulated banks of the demo. They open together, each with the demo's settings for it. */
import type { DemoSettings } from './demo-settings.ts';
import { type AdyenSide, adyenSide, adyenTransfers } from './providers/adyen-transfers.ts';
import { type ChargedPayment, type ProviderPlace, providerPlan } from './providers/provider.ts';
import { type StpSide, stpPlan, stpSide } from './providers/stp.ts';
import { screen } from './screen.ts';
import { openSimulators, portOf, type Simulator } from './simulator.ts';

export interface Banks {
  readonly adyen: AdyenSide;
  readonly stp: StpSide;
  /** Prints the URL of each. */
  show(): void;
  /** Runs once the gateway serves, because some preparations send it notifications. */
  prepare(): Promise<void>;
  /** Adds the demo's invented card payments to the simulators' books. */
  remember(payments: readonly ChargedPayment[]): Promise<void>;
  close(): Promise<void>;
}

interface OpenProvider {
  readonly place: ProviderPlace;
  readonly at: Simulator;
}

export async function openBanks(settings: DemoSettings, gatewayUrl: string): Promise<Banks> {
  const { stp, providers, config } = settings;
  const options = { gatewayUrl, dataDir: config.dataDir };
  const plans = [stpPlan(stp, options), ...providers.map((place) => providerPlan(place, config.rails, options))];
  const { opened, close } = await openSimulators(plans, (line) => screen.event('·', line));
  const [atStp, ...others] = opened as readonly [Simulator, ...Simulator[]];
  const open = providers.flatMap((place, index) => {
    const at = others[index];
    return at ? [{ place, at }] : [];
  });
  const adyen = open.find(({ place }) => place.provider === adyenTransfers);
  if (!adyen) throw new Error('Adyen is not a provider of the demo');
  return {
    adyen: adyenSide(adyen.at, adyen.place, config.rails.adyenTransfers),
    stp: stpSide(stp, atStp),
    show() {
      screen.done('STP', `${stp.url}, its simulator${atStp.isOurs ? '' : ', already running'}; no money moves`);
      showProviders(open);
    },
    async prepare() {
      await Promise.all(open.map(({ place, at }) => place.provider.prepare?.(at, place, config.rails)));
    },
    async remember(payments) {
      await Promise.all(open.map(({ place, at }) => place.provider.remember?.(at, payments)));
    },
    close,
  };
}

function showProviders(open: readonly OpenProvider[]): void {
  const places = open.map(({ place: { provider, url } }) => `${provider.name} ${portOf(url)}`);
  const running = open.filter(({ at }) => !at.isOurs).map(({ place }) => place.provider.name);
  screen.doneWith('Providers', [
    ...places.map((place, index) => (index < places.length - 1 ? `${place},` : `${place}: also simulators`)),
    ...(running.length > 0 ? [`(${running.join(', ')}: already running)`] : []),
  ]);
}
