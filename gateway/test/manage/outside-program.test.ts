/**
 * Every action of the commands, of a merchant and of a user, by programs that know only openapi/manage.json. Only banks,
 * payers and merchants’ servers use other interfaces of the gateway.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { type Endpoint, isAct, permissionsOf } from '../../contract/parts/endpoint.ts';
import { MERCHANT_ROLES } from '../../contract/permissions.ts';
import { WITHOUT_ENDPOINT } from '../../generators/openapi/commands-without-endpoint.ts';
import { readCommands } from '../../generators/tables/command-line.ts';
import { PAUSES_KNOWN_AFTER_MS } from '../../src/domain/routing/pauses.ts';
import { DESCRIBED } from '../support/people/outside-program.ts';
import { reason } from '../support/people/outside-world.ts';
import { actAsTwoPeople, actForMerchant, followEvents } from './outside/merchant-acts.ts';
import { handleBatches, handlePayouts, moveMoney, operateMerchants, readBooks } from './outside/operator-acts.ts';
import { merchantId, type OutsideStage, openOutsideStage, waiting } from './outside/outside-stage.ts';
import { keepCredentials, signInByOpenId } from './outside/people-acts.ts';

describe('a program written from only openapi/manage.json', () => {
  const stage = {} as OutsideStage;

  before(async () => {
    Object.assign(stage, await openOutsideStage());
  });

  after(() => stage.world.close());

  it('a program written from only openapi/manage.json operates merchants, keys, funds, rails, routes and pauses', () =>
    operateMerchants(stage));
  it('a program written from only openapi/manage.json creates, cancels, queries and resolves payouts and resends callbacks', () =>
    handlePayouts(stage));
  it('a program written from only openapi/manage.json uploads, submits and cancels batches', () =>
    handleBatches(stage));
  it('a program written from only openapi/manage.json credits, returns and refunds money and ends the attempts of a payer', () =>
    moveMoney(stage));
  it('a program written from only openapi/manage.json reads the books, compares days with providers and resolves differences', () =>
    readBooks(stage));
  it('a program written from only openapi/manage.json acts for a merchant: settings, keys, payouts, callbacks, tokens and a team', () =>
    actForMerchant(stage));
  it('a program written from only openapi/manage.json follows the events of a merchant', () => followEvents(stage));
  it('a program written from only openapi/manage.json proposes, withdraws, rejects and approves actions as two users', () =>
    actAsTwoPeople(stage));
  it('a program written from only openapi/manage.json signs in a user at the OpenID Connect provider', () =>
    signInByOpenId(stage));
  it('a program written from only openapi/manage.json manages a user’s credentials and sessions', () =>
    keepCredentials(stage));

  it('a program written from only openapi/manage.json recovers from a restore', async () => {
    const { operator } = stage;
    await operator.do('pauses.pause', { scope: 'method', target: '1', reason });
    await sleep(PAUSES_KNOWN_AFTER_MS);
    const { payoutId } = await operator.do('payouts.create', waiting);
    await operator.do('recovery.begin', { reason });
    await operator.do('recovery.show');
    await operator.do('recovery.compare');
    await operator.do('recovery.release', { merchantId, payoutId, reason });
    await operator.do('recovery.complete', { force: { reason } });
    await operator.do('recovery.notNeeded', { reason });
    await operator.do('pauses.resume', { scope: 'method', target: '1' });
  });

  it('the program that knows only openapi/manage.json performed every operation', async () => {
    const { world, merchant, owners } = stage;
    const performed = new Set(world.programs.flatMap(({ done }) => [...done]));
    const missing = [...DESCRIBED.keys()].filter((name) => !performed.has(name));
    assert.deepEqual(missing, []);
    const { rows } = await world.gateway.database.pool.query<{ act: string }>(
      `select distinct act from audit_entries where phase = 'done' and actor_kind in ('person', 'token')`,
    );
    const recorded = new Set(rows.map(({ act }) => act));
    const acts = [...DESCRIBED.values()].filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'Idempotency-Key'),
    );
    assert.deepEqual(
      acts.map(({ name }) => name).filter((name) => !recorded.has(name)),
      [],
    );
    const byMerchant = new Set([merchant, ...owners].flatMap(({ done }) => [...done]));
    const ofMerchants = (Object.entries(ENDPOINTS) as [string, Endpoint][]).filter(
      ([, endpoint]) => isAct(endpoint) && endpoint.audience === 'own' && isOfOwner(endpoint),
    );
    assert.deepEqual(
      ofMerchants.map(([name]) => name).filter((name) => !byMerchant.has(name)),
      [],
    );
    const commands = new Set(
      Object.entries(ENDPOINTS as Readonly<Record<string, Endpoint>>).flatMap(([name, { command }]) =>
        performed.has(name) && command !== undefined ? [command] : [],
      ),
    );
    const named = (await readCommands()).map(({ name }) => name.replace(/ [[<].*$/, ''));
    assert.deepEqual(
      named.filter((name) => !commands.has(name) && !OFFLINE.includes(name)),
      [],
    );
  });
});

function isOfOwner(endpoint: Endpoint): boolean {
  return permissionsOf(endpoint).some((name) => MERCHANT_ROLES.owner.permissions.includes(name));
}

/** The commands that do not act on the gateway’s data. */
const OFFLINE = ['signature explain', ...Object.keys(WITHOUT_ENDPOINT)];
