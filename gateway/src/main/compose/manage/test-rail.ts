/**
 * Tests the connection to a rail's provider: the address without a credential, then the credentials by a read. It moves no
 * money: it reads the float, or asks about a payout that was never sent.
 */
import { OPERATOR_MERCHANT } from '../../../domain/merchants/merchant.ts';
import type { RailFinding } from '../../../domain/monitoring/rail-setup.ts';
import { payoutReference, referenceKeyFrom } from '../../../domain/payouts/payout-order.ts';
import { SECOND_MS } from '../../../foundation/clock.ts';
import { type Deadline, withDeadline } from '../../../foundation/deadline.ts';
import { payoutMethod } from '../../../protocol/payout/method-table.ts';
import { configuredRails } from '../../../rails/registry.ts';
import { lookAt } from '../../doctor/doctor-rails.ts';
import type { GatewayCore } from '../open-core.ts';

const PATIENCE_MS = 10 * SECOND_MS;

/** Undefined: this process has no such rail, or the rail has no provider. */
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
  const read = readerOf(core, name);
  if (!read) return { about, result: 'unknown', found: 'only a payment proves them at this provider', remedy: '' };
  const failure = await withDeadline(core.clock, PATIENCE_MS, read);
  if (failure === null) return { about, result: 'success', found: 'the provider answered a read', remedy: '' };
  return {
    about,
    result: 'failed',
    found: failure,
    remedy: 'Correct the variables of the rail, and restart the gateway',
  };
}

/** A read that the provider answers to its clients only. It returns null, or why there was no answer. */
function readerOf({ rails, sendingRails, fingerprintKey, clock }: GatewayCore, name: string) {
  const float = rails.floatReaders.find(({ rail }) => rail === name);
  const rail = sendingRails.find((each) => each.name === name);
  if (float)
    return async (deadline: Deadline) => {
      const answer = await float.read(deadline);
      return answer.ok ? null : answer.error;
    };
  // A rail that carries only refunds asks about a payer's payment, and this invented payout has no payment.
  const [method] = rail?.methods ?? [];
  if (!rail || method === undefined) return undefined;
  const nobodys = { rail: name, merchantId: OPERATOR_MERCHANT, payoutId: 'connection-test' };
  const reference = payoutReference(referenceKeyFrom(fingerprintKey), nobodys);
  const money = { currency: payoutMethod(method)?.currency ?? 'EUR', minor: 1n } as const;
  const about = { purpose: 'payout', method, money, beneficiary: {}, delayed: false } as const;
  const order = { reference, remittance: reference, ...about };
  return async (deadline: Deadline) => {
    const answer = await rail.ask({ ...order, sendUntil: clock.now() }, deadline);
    return answer.kind === 'unknown' ? answer.reason : null;
  };
}
