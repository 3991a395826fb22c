/** The list of simulators: their settings, and how to start them. It neither reads an environment nor prints. */

import { adyen } from './adyen/simulator.ts';
import { adyenTransfers } from './adyen-transfers/simulator.ts';
import { dtOne } from './dt-one/simulator.ts';
import { epoint } from './epoint/simulator.ts';
import { freedomPay } from './freedom-pay/simulator.ts';
import type { Check, Environment } from './kernel/settings.ts';
import type { CommonSettings, Running, SimulatorDefinition, Surroundings } from './kernel/simulator-definition.ts';
import { mastercardSend } from './mastercard-send/simulator.ts';
import { pix } from './pix/simulator.ts';
import { razorpayx } from './razorpayx/simulator.ts';
import { StartupFault } from './startup-fault.ts';
import { stp } from './stp/simulator.ts';
import { tokenIo } from './token-io/simulator.ts';
import { trustly } from './trustly/simulator.ts';
import { visaDirect } from './visa-direct/simulator.ts';
import { vopay } from './vopay/simulator.ts';
import { wayforpay } from './wayforpay/simulator.ts';

const SIMULATORS = {
  stp,
  trustly,
  pix,
  adyen,
  adyenTransfers,
  tokenIo,
  vopay,
  wayforpay,
  epoint,
  razorpayx,
  dtOne,
  freedomPay,
  visaDirect,
  mastercardSend,
} as const;

export type SimulatorName = keyof typeof SIMULATORS;

type AllSettings = {
  readonly [Name in SimulatorName]: (typeof SIMULATORS)[Name] extends SimulatorDefinition<
    infer Own extends CommonSettings
  >
    ? Own
    : never;
};

const DEFINITIONS: { readonly [Name in SimulatorName]: SimulatorDefinition<AllSettings[Name]> } = SIMULATORS;

export const SIMULATOR_NAMES = Object.keys(SIMULATORS) as readonly SimulatorName[];

/** Returns the settings of one simulator. If they are invalid, one message lists every error. */
export function readSettingsOf<Name extends SimulatorName>(
  name: Name,
  environment: Environment,
  projectRoot: string,
): AllSettings[Name] {
  const { settings, checks } = DEFINITIONS[name].read(environment, projectRoot);
  refuseFaults(checks);
  return settings;
}

/** Returns the settings of every simulator. If they are invalid, one message lists every error. */
export function readAllSettings(environment: Environment, projectRoot: string): AllSettings {
  const read = SIMULATOR_NAMES.map((name) => [name, DEFINITIONS[name].read(environment, projectRoot)] as const);
  refuseFaults(read.flatMap(([, { checks }]) => checks));
  return Object.fromEntries(read.map(([name, { settings }]) => [name, settings])) as unknown as AllSettings;
}

function refuseFaults(checks: readonly Check[]): void {
  const faults = checks.filter(([holds]) => !holds).map(([, fault]) => fault);
  if (faults.length > 0) throw new StartupFault(`Invalid settings: ${faults.join('; ')}.`);
}

export function startSimulator<Name extends SimulatorName>(
  name: Name,
  here: Surroundings,
  settings: AllSettings[Name],
): Promise<Running> {
  return DEFINITIONS[name].start(here, settings);
}
