/**
 * The sandbox rail (method 70, TST): an ordinary rail without a bank, so that a merchant can try a complete payout. It
 * leaves a delayed payout (setting `sandbox_mode`) pending when sent, and decides it at the first query.
 */
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { beneficiaryField } from '../kit/rail-answers.ts';
import { SANDBOX, type SandboxConfiguration } from './configuration.ts';
import { decide } from './protocol.ts';

export function createSandboxRail({ successCard }: SandboxConfiguration): PayoutRail {
  return {
    name: SANDBOX,
    methods: new Set([70]),
    simulated: true,
    notifies: false,
    timeoutMs: 1_000,
    // Never used: the sandbox always finds the payout.
    notFoundProofMs: 0,
    askAfterMs: [2_000],
    concurrency: 64,
    send: async (order) =>
      order.delayed ? { kind: 'pending' } : decide(beneficiaryField(order, 'account'), successCard),
    ask: async (order) => decide(beneficiaryField(order, 'account'), successCard),
  };
}
