/**
 * A provider in the demo: its simulator, the settings that gateway and simulator share, and its examples: the shop's offer,
 * payouts to paste, or both. Books, keys and certificates are in the data directory.
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
  /** Further ports of its simulator, with their defaults. */
  readonly otherPorts: Readonly<Record<string, string>>;
  readonly controlSecret: string;
  /** Returns the gateway's variables. `ports` is keyed by the variable of each port, and `folder` is the data directory. */
  variables(ports: Readonly<Record<string, string>>, folder: string): EnvironmentVariables;
  /** Returns the simulator's variables, except its ports and its secret. */
  environment(rails: Rails, options: SideOptions): Readonly<Record<string, string>>;
  /** Prepares the simulator before the first payment. */
  prepare?(at: Simulator, place: SimulatorPlace, rails: Rails): Promise<void>;
  readonly offer?: Offer;
  readonly payouts?: PayoutShow;
  /** Adds the demo's invented payments to its simulator, so that they can be refunded. */
  remember?(at: Simulator, payments: readonly ChargedPayment[]): Promise<void>;
  /** Builds the notification of a chargeback by the payer's bank. */
  chargeback?(rails: Rails, payment: ChargedPayment): { readonly path: string; readonly body: object };
}

export interface ChargedPayment {
  readonly providerReference: string;
  readonly reference: string;
  readonly currency: string;
  /** The amount in minor units. */
  readonly value: number;
}

interface PayoutShow {
  /** The examples, one for each method that the gateway sends to this provider. */
  readonly examples: readonly Example[];
  /**
   * Outcomes that an amount's cents select at the simulator, in addition to .51, which it declines. The demo prints them with
   * the last example.
   */
  readonly cents?: readonly Try[];
}

/** A provider's simulator and its URL. */
export interface ProviderPlace extends SimulatorPlace {
  readonly provider: Provider;
  /** The simulator's further ports, by their variables. */
  readonly ports: Readonly<Record<string, string>>;
}

export function providerPlan(place: ProviderPlace, rails: Rails, options: SideOptions): SimulatorPlan {
  const { environment, kind } = place.provider;
  const control = kind.variables.secret.replace(/_SECRET$/, '');
  return { ...place, environment: { ...environment(rails, options), ...place.ports, [control]: 'on' } };
}
