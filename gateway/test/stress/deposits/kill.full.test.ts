/**
 * kill -9 of the gateway at random moments, while merchants request CLABEs and payers of every kind pay. The core run kills it
 * at each step instead (kill-moments.test.ts).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DepositScene, openDepositScene } from '../../support/deposits/deposit-scene.ts';
import { reasonOf } from '../../support/deposits/host-to-host-wire.ts';
import { startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import type { CreatedDeposit } from '../../support/merchants/test-merchant.ts';
import { type Choices, createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

const KILLS = 12;
/** Each process runs until it has created this many deposits, however busy the machine is. */
const DEPOSITS_IN_A_LIFE = 5;
const LONGEST_REST_MS = 400;
const MERCHANTS = 4;
const CLIENTS = 8;
const RETRY_MS = 25;

const PAYERS = [
  'exact',
  'exact',
  'exact',
  'short',
  'over',
  'twice',
  'notified_ten_times',
  'notification_lost',
  'during_reconciliation',
  'unknown_clabe',
] as const;

test('after random kills under load, every transfer is posted exactly once and every merchant is called back', async () => {
  const choices = createChoices('deposit kill');
  const scene = await openDepositScene(MERCHANTS);
  const load = startDepositLoad(scene, choices);
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const gateway = await startGatewayProcess(scene.variables);
      const enough = load.created() + DEPOSITS_IN_A_LIFE;
      await until('deposits are created', () => load.created() >= enough);
      await sleep(choices.between(0, LONGEST_REST_MS));
      await gateway.kill();
    }
    // No payments may be in progress when the last process reads STP's list.
    await load.stop();
    const survivor = await startGatewayProcess(scene.variables);
    try {
      const paid = await scene.judge();
      assert(load.unanswered() > 0, 'no kill interrupted a request');
      assert(paid > KILLS, `only ${paid} deposits were paid`);
      await survivor.stop();
      console.log(`${load.created()} deposits, ${paid} paid, ${load.unanswered()} requests without an answer`);
    } finally {
      await survivor.kill();
    }
  } finally {
    await load.stop().catch(() => undefined);
    await scene.close();
  }
});

interface DepositLoad {
  readonly created: () => number;
  readonly unanswered: () => number;
  /** Lets each client complete its current step. Rejects if a client received an unexpected response. */
  stop(): Promise<void>;
}

/** Each client requests a CLABE until it gets one, pays into it, and starts again. */
function startDepositLoad({ merchants, stp }: DepositScene, choices: Choices): DepositLoad {
  let stopped = false;
  let created = 0;
  let unanswered = 0;

  async function client(name: string): Promise<void> {
    for (let count = 0; !stopped; count++) {
      const deposit = await createOnce(`${name}-${count}`);
      if (deposit) await stp.pay(deposit.clabe, { behaviour: choices.oneOf(PAYERS) });
      await sleep(choices.between(5, 60));
    }
  }

  /** Resolves to undefined if no response came, or if the response to an earlier request with the CLABE was lost. */
  async function createOnce(order: string): Promise<CreatedDeposit | undefined> {
    const merchant = choices.oneOf(merchants);
    for (let attempt = 1; !stopped; attempt++) {
      const answer = await merchant.requestDeposit(order).catch(() => undefined);
      if (answer?.status === 200) {
        const reason = reasonOf(answer);
        if (attempt > 1 && reason === 'Order already exists') return undefined;
        assert.equal(reason, 'Created');
        created += 1;
        return answer.json as CreatedDeposit;
      }
      unanswered += 1;
      await sleep(RETRY_MS);
    }
    return undefined;
  }

  const running = Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(`c${index}`)));
  running.catch(() => undefined);
  return {
    created: () => created,
    unanswered: () => unanswered,
    async stop() {
      stopped = true;
      await running;
    },
  };
}
