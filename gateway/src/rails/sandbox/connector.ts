/** What the gateway can do by the sandbox, which has no third party and so no connections. */
import type { Connector } from '../kit/connector.ts';
import type { SandboxConfiguration } from './configuration.ts';
import { createSandboxRail } from './payout-rail.ts';

export function connectSandbox(configuration: SandboxConfiguration): Connector {
  return { payoutRail: createSandboxRail(configuration) };
}
