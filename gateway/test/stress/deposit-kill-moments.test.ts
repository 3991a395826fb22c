/**
 * kill -9 of the gateway at each step between a transfer's arrival and the merchant's books: each moment is reached by
 * holding what the gateway says or hears just then, several moments by one kill. STP tells again until it is answered, so
 * afterwards every transfer is posted once and told.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DepositScene, openDepositScene, type Route } from '../support/deposit-scene.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import type { Hold } from '../support/held-relay.ts';
import type { TestMerchant } from '../support/test-merchant.ts';
import { within } from '../support/until.ts';

interface Moment {
  readonly name: string;
  readonly route: Route;
  readonly hold: (transfer: string, order: string) => Hold;
  /** How many transfers of this payer the database has when the gateway is dead. */
  readonly kept: 0 | 1;
}

/** Each list is one kill. What is held in the database comes last: it may keep the gateway from recording anything else. */
const NOTIFIED: readonly (readonly Moment[])[] = [
  [
    {
      name: 'the callback is on its way and the merchant has not heard it',
      route: 'callback',
      hold: (_transfer, order) => ({ carrying: `co_order_no=${order}&`, of: 'question' }),
      kept: 1,
    },
    {
      name: 'the notification is on its way and not read',
      route: 'notification',
      hold: (transfer) => ({ carrying: transfer, of: 'question' }),
      kept: 0,
    },
    {
      name: 'it is read and nothing is written',
      route: 'database',
      hold: (transfer) => ({ carrying: transfer, of: 'question' }),
      kept: 0,
    },
  ],
  [
    {
      name: 'it has answered, and STP has not heard so',
      route: 'notification',
      hold: (transfer) => ({ carrying: transfer, of: 'answer' }),
      kept: 1,
    },
    {
      name: 'everything is written and not committed',
      route: 'database',
      hold: (transfer) => ({ carrying: transfer, at: 'commit', of: 'question' }),
      kept: 0,
    },
  ],
  [
    {
      name: 'the merchant has accepted the callback, and the gateway has not heard so',
      route: 'callback',
      hold: (_transfer, order) => ({ carrying: `co_order_no=${order}&`, of: 'answer' }),
      kept: 1,
    },
    {
      name: 'it is committed, and the gateway has not heard so',
      route: 'database',
      hold: (transfer) => ({ carrying: transfer, at: 'commit', of: 'answer' }),
      kept: 1,
    },
  ],
];

const RECONCILED: readonly Moment[] = [
  {
    name: 'it has asked for the list and not heard it',
    route: 'list',
    hold: () => ({ carrying: 'tipoOrden', of: 'answer' }),
    kept: 0,
  },
  {
    name: 'it has taken a transfer from the list and not committed it',
    route: 'database',
    hold: (transfer) => ({ carrying: transfer, at: 'commit', of: 'question' }),
    kept: 0,
  },
  {
    name: 'it has committed what it took from the list, and not heard so',
    route: 'database',
    hold: (transfer) => ({ carrying: transfer, at: 'commit', of: 'answer' }),
    kept: 1,
  },
];

/** A notification of more than 50,000.00 counts once STP, asked, says the same. */
const LARGE = '60000.00';
const MOMENT_COMES_WITHIN_MS = 60_000;

interface Begun extends Pick<Moment, 'name' | 'kept'> {
  readonly clabe: string;
  readonly transfer: string;
}

let scene: DepositScene;
let gateway: GatewayProcess | undefined;
const orders: string[] = [];

before(async () => {
  // One for each moment: a lane that died with its holder rests for seconds, and that is another test's matter.
  scene = await openDepositScene(NOTIFIED.flat().length + 1 + RECONCILED.length);
});
after(async () => {
  await gateway?.kill();
  await scene.close();
});

/** Of a merchant who has no other. */
async function openDeposit(change: Readonly<Record<string, string>> = {}) {
  const order = `K${orders.length}`;
  orders.push(order);
  const merchant = scene.merchants[orders.indexOf(order)] as TestMerchant;
  const { clabe } = await merchant.deposit(order, change);
  return { order, clabe, transfer: `KEY${order}` };
}

const comes = (moment: Promise<void>) => within(MOMENT_COMES_WITHIN_MS, 'the moment', moment);

async function assertConfirmed({ clabe, transfer }: Pick<Begun, 'clabe' | 'transfer'>): Promise<void> {
  await scene.confirmed(transfer);
  assert.equal(await scene.kept(clabe), 1, 'what is confirmed is recorded');
}

describe('killed while STP tells of transfers', () => {
  // No lists: that STP tells again has to be enough.
  before(async () => {
    gateway = await startGatewayProcess(scene.variablesWithoutLists);
  });

  for (const moments of NOTIFIED) {
    it(moments.map(({ name }) => `when ${name}`).join(', '), async () => {
      const begun: Begun[] = [];
      for (const { name, route, hold, kept } of moments) {
        const { order, clabe, transfer } = await openDeposit();
        const reached = scene.routes[route].hold(hold(transfer, order));
        await scene.stp.pay(clabe, { claveRastreo: transfer });
        await comes(reached);
        begun.push({ name, kept, clabe, transfer });
      }
      await gateway?.kill();
      for (const { name, kept, clabe } of begun) assert.equal(await scene.kept(clabe), kept, name);
      gateway = await startGatewayProcess(scene.variablesWithoutLists);
      for (const each of begun) await assertConfirmed(each);
    });
  }
});

it('killed while it asks STP about a transfer that is too large to be believed', async () => {
  await gateway?.kill();
  gateway = await startGatewayProcess(scene.variables);
  const { clabe, transfer } = await openDeposit({ amount: LARGE });
  const reached = scene.routes.list.hold({ carrying: transfer, of: 'answer' });
  await scene.stp.pay(clabe, { claveRastreo: transfer, amount: LARGE });
  await comes(reached);
  await gateway.kill();
  assert.equal(await scene.kept(clabe), 0);
  gateway = await startGatewayProcess(scene.variables);
  await assertConfirmed({ clabe, transfer });
});

describe('killed while it reconciles', () => {
  const opened: Awaited<ReturnType<typeof openDeposit>>[] = [];
  before(async () => {
    for (const _ of RECONCILED) opened.push(await openDeposit());
    await gateway?.kill();
  });

  RECONCILED.forEach(({ name, route, hold, kept }, index) => {
    it(`when ${name}`, async () => {
      const { order, clabe, transfer } = opened[index] ?? assert.fail();
      await scene.stp.pay(clabe, { claveRastreo: transfer, behaviour: 'notification_lost' });
      const reached = scene.routes[route].hold(hold(transfer, order));
      // It reconciles when it starts.
      gateway = await startGatewayProcess(scene.variables);
      await comes(reached);
      await gateway.kill();
      assert.equal(await scene.kept(clabe), kept);
    });
  });
});

it('and in the end every transfer is posted once, and told', async () => {
  gateway = await startGatewayProcess(scene.variables);
  assert.equal(await scene.judge(), orders.length);
  await gateway.stop();
  gateway = undefined;
});
