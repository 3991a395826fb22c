/** Builds the ports of the sandbox, which has no third party and therefore no connections. */
import type { Connector } from '../kit/connector.ts';
import { defineRail } from '../kit/rail-definition.ts';
import { type SandboxConfiguration, sandboxConfiguration } from './configuration.ts';
import { createSandboxRail } from './payout-rail.ts';

export const sandbox = defineRail(sandboxConfiguration, { connect: connectSandbox });

function connectSandbox(configuration: SandboxConfiguration): Connector {
  return { payoutRail: createSandboxRail(configuration) };
}
