/**
 * Tests the connection to a rail's provider: the URL without a credential, then the credentials with the rail's probe. It
 * moves no money.
 */
import { OPERATOR_MERCHANT } from '../../../domain/merchants/merchant.ts';
import { payoutReference, referenceKeyFrom } from '../../../domain/payouts/payout-order.ts';
import type { PayoutOrder } from '../../../domain/payouts/payout-rail.ts';
import type { RailFinding } from '../../../domain/rails/rail-setup.ts';
import { SECOND_MS } from '../../../foundation/clock.ts';
import { withDeadline } from '../../../foundation/deadline.ts';
import { payoutMethod } from '../../../protocol/payout/method-table.ts';
import { configuredRails } from '../../../rails/registry.ts';
import { lookAt } from '../../doctor/doctor-rails.ts';
import type { GatewayCore } from '../gateway-core.ts';

const PATIENCE_MS = 10 * SECOND_MS;

/** Resolves to undefined if this process has no such rail, or the rail has no provider. */
export async function testRail(core: GatewayCore, name: string): Promise<readonly RailFinding[] | undefined> {
  const rail = configuredRails(core.config.rails).find(({ definition }) => definition.name === name);
  if (!rail || rail.definition.isOnWith === null) return undefined;
  const { configuration } = rail;
  return [...('url' in configuration ? [await testAddress(configuration.url)] : []), await testCredentials(core, name)];
}

async function testAddress(url: string): Promise<RailFinding> {
  const { isWell, found, remedy } = await lookAt(url);
  return { about: 'address', result: isWell ? 'success' : 'failed', found: `${new URL(url).host} ${found}`, remedy };
}

async function testCredentials(core: GatewayCore, name: string): Promise<RailFinding> {
  const about = 'credentials';
  const probe = core.rails.probes.find(({ rail }) => rail === name);
  if (!probe) return { about, result: 'unknown', found: 'only a payment proves them at this provider', remedy: '' };
  const failure = await withDeadline(core.clock, PATIENCE_MS, (deadline) =>
    probe.read(unsentPayout(core, name), deadline),
  );
  if (failure === null) return { about, result: 'success', found: 'the provider accepted a read request', remedy: '' };
  return {
    about,
    result: 'failed',
    found: failure,
    remedy: 'Correct the variables of the rail, and restart the gateway',
  };
}

function unsentPayout({ fingerprintKey, clock }: GatewayCore, rail: string) {
  const key = { rail, merchantId: OPERATOR_MERCHANT, payoutId: 'connection-test' };
  const reference = payoutReference(referenceKeyFrom(fingerprintKey), key);
  return (method: number): PayoutOrder => {
    const money = { currency: payoutMethod(method)?.currency ?? 'EUR', minor: 1n } as const;
    const about = { purpose: 'payout', method, money, beneficiary: {}, delayed: false } as const;
    return { reference, remittance: reference, ...about, sendUntil: clock.now() };
  };
}
