/**
 * A provider behind the hosted form, as the demo has it: its simulator, what the gateway and the simulator know each other
 * by, and what the shop sells by it. Books, keys and certificates are in the data directory.
 */
import type { Config, EnvironmentVariables } from '../../../gateway/src/main/config.ts';
import type { Offer } from '../shop/offer.ts';
import type { SideOptions, SimulatorKind, SimulatorPlace, SimulatorPlan } from '../simulator.ts';

export type Rails = Config['rails'];

export interface FormProvider {
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
  readonly offer: Offer;
}

/** A provider's simulator and where it is. */
export interface FormPlace extends SimulatorPlace {
  readonly provider: FormProvider;
  /** Its further ports, by their variables. */
  readonly ports: Readonly<Record<string, string>>;
}

export function formPlan(place: FormPlace, rails: Rails, options: SideOptions): SimulatorPlan {
  const { environment, kind } = place.provider;
  const control = kind.variables.secret.replace(/_SECRET$/, '');
  return { ...place, environment: { ...environment(rails, options), ...place.ports, [control]: 'on' } };
}
