/** kill -9 of the gateway at random moments, while merchants ask for CLABEs and payers of every kind pay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DepositScene, openDepositScene } from '../support/deposit-scene.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { reasonOf } from '../support/host-to-host-wire.ts';
import { type Choices, createChoices } from '../support/seeded.ts';
import type { CreatedDeposit } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

const KILLS = process.env['TEST_FULL'] ? 12 : 2;
/** A life is never too short for these, however busy the machine is. */
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

test('killed at random under load, it loses no transfer, posts none twice and tells every merchant', async () => {
  const choices = createChoices('deposit kill');
  const scene = await openDepositScene(MERCHANTS);
  const load = startDepositLoad(scene, choices);
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const gateway = await startGatewayProcess(scene.variables);
      const enough = load.created() + DEPOSITS_IN_A_LIFE;
      await until('deposits are made', () => load.created() >= enough);
      await sleep(choices.between(0, LONGEST_REST_MS));
      await gateway.kill();
    }
    // Nobody pays any more when the last one looks at STP's list.
    await load.stop();
    const survivor = await startGatewayProcess(scene.variables);
    try {
      const paid = await scene.judge();
      assert(load.unanswered() > 0, 'the kills went unnoticed');
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
  /** Lets each client finish what it is at. Rejects if any of them met an answer that it must not. */
  stop(): Promise<void>;
}

/** Each client asks for a CLABE until there is one, has it paid, and begins again. */
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

  /** Undefined: there is no answer, or the answer to an earlier try was lost and its CLABE with it. */
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
