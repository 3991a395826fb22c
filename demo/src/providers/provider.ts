/**
 * A provider as the demo has it: its simulator, what the gateway and the simulator know each other by, and what is shown
 * with it: what the shop sells by it, payouts to paste, or both. Books, keys and certificates are in the data directory.
 */
import type { Config, EnvironmentVariables } from '../../../gateway/src/main/config/config.ts';
import type { Example } from '../payout-examples.ts';
import type { Offer, Try } from '../shop/offer.ts';
import type { SideOptions, Simulator, SimulatorKind, SimulatorPlace, SimulatorPlan } from '../simulator.ts';

export type Rails = Config['rails'];

export interface Provider {
  readonly name: string;
  readonly kind: SimulatorKind;
  readonly usualPort: string;
  /** Further ports of its simulator, with the usual ones. */
  readonly otherPorts: Readonly<Record<string, string>>;
  readonly controlSecret: string;
  /** The gateway's variables. `ports`: by the variable of each; `folder`: the data directory. */
  variables(ports: Readonly<Record<string, string>>, folder: string): EnvironmentVariables;
  /** The simulator's, besides its ports and its secret. */
  environment(rails: Rails, options: SideOptions): Readonly<Record<string, string>>;
  /** What has to be done at the simulator before anybody is paid. */
  prepare?(at: Simulator, place: SimulatorPlace, rails: Rails): Promise<void>;
  readonly offer?: Offer;
  readonly payouts?: PayoutShow;
}

export interface PayoutShow {
  /** One by each method that the gateway sends this way. */
  readonly examples: readonly Example[];
  /** What the cents of an amount pick at the simulator, beside .51, which is declined, and shown with the last example. */
  readonly cents?: readonly Try[];
}

/** A provider's simulator and where it is. */
export interface ProviderPlace extends SimulatorPlace {
  readonly provider: Provider;
  /** Its further ports, by their variables. */
  readonly ports: Readonly<Record<string, string>>;
}

export function providerPlan(place: ProviderPlace, rails: Rails, options: SideOptions): SimulatorPlan {
  const { environment, kind } = place.provider;
  const control = kind.variables.secret.replace(/_SECRET$/, '');
  return { ...place, environment: { ...environment(rails, options), ...place.ports, [control]: 'on' } };
}
