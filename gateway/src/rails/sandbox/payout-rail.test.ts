import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import { createSandboxRail } from './payout-rail.ts';

const SUCCESS_CARD = '4111111111111111';
const rail = createSandboxRail({ successCard: SUCCESS_CARD });
const deadline = { signal: new AbortController().signal, isPast: () => false };

function order(card: string, delayed = false): PayoutOrder {
  return {
    reference: '1024',
    remittance: 'M1/A17',
    purpose: 'payout',
    method: 70,
    money: { currency: 'TST', minor: 1_000n },
    beneficiary: { account: new Secret(card) },
    sendUntil: 0,
    delayed,
  };
}

describe('the sandbox rail', () => {
  it('the sandbox executes a payout to its success card', async () => {
    assert.deepEqual(await rail.send(order(SUCCESS_CARD), deadline), { kind: 'executed' });
  });

  it('the sandbox declines every other card with code 51', async () => {
    for (const card of ['4111111111111112', '411111111111', `${SUCCESS_CARD}111`]) {
      const answer = await rail.send(order(card), deadline);
      assert.equal(answer.kind === 'declined' && answer.blockedReason, 'bank_declined', card);
    }
  });

  it('the sandbox leaves a delayed payout pending, and decides it at the status query', async () => {
    assert.deepEqual(await rail.send(order(SUCCESS_CARD, true), deadline), { kind: 'pending' });
    assert.deepEqual(await rail.send(order('4000000000000002', true), deadline), { kind: 'pending' });
    assert.equal((await rail.ask(order(SUCCESS_CARD, true), deadline)).kind, 'executed');
    assert.equal((await rail.ask(order('4000000000000002', true), deadline)).kind, 'declined');
  });
});
