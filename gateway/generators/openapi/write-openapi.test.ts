/** openapi/manage.json describes the management API as it is. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { describeApi } from '../../contract/describe-api.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Endpoint } from '../../contract/parts/endpoint.ts';
import { ROOT } from '../pages.ts';
import { readCommands } from '../tables/command-line.ts';
import { WITHOUT_ENDPOINT } from './commands-without-endpoint.ts';

const endpoints = Object.entries(ENDPOINTS) as [string, Endpoint][];

const NO_SECOND_PERSON = 'the command line on the server needs no second person; others use the pages or the API';

/** The endpoints without a command, each with the reason. */
const WITHOUT_COMMAND: Readonly<Record<string, string>> = {
  'balances.history': 'a chart; ledger balance shows the balances at any time',
  'payouts.late': 'payout overdue lists those past their deadline, and payout show explains each',
  'payouts.check': 'payout create --dry-run shows the same and more',
  'callbacks.pace': 'a chart; callback show has each attempt',
  'rails.setups': 'doctor names missing variables, and reference.md all of them',
  'rails.test': 'doctor examines each address, and payout ask the credentials',
  'routes.replay': 'a part of the preview on the pages',
  'policies.list': NO_SECOND_PERSON,
  'policies.set': NO_SECOND_PERSON,
  'proposals.list': NO_SECOND_PERSON,
  'proposals.show': NO_SECOND_PERSON,
  'proposals.approve': NO_SECOND_PERSON,
  'proposals.reject': NO_SECOND_PERSON,
  'proposals.withdraw': NO_SECOND_PERSON,
  'people.approveReset': 'only a second administrator who signed in approves',
  'session.viewAs': 'the pages that a signed-in person sees',
};

describe('the description of the management API', () => {
  it('openapi/manage.json is current: npx node gateway/generators/openapi/write-openapi.ts writes it', () => {
    const committed: unknown = JSON.parse(readFileSync(join(ROOT, 'openapi/manage.json'), 'utf8'));
    assert.deepEqual(committed, JSON.parse(JSON.stringify(describeApi())));
  });

  it('each endpoint has a different method and path', () => {
    const places = endpoints.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    assert.deepEqual(places, [...new Set(places)]);
  });

  it('each parameter of a path has a schema, and each schema a parameter', () => {
    for (const [name, { path, params }] of endpoints) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      assert.deepEqual(Object.keys(params.properties).sort(), named.sort(), name);
    }
  });

  it('each command that reads or changes data has an endpoint, or a documented reason to have none', async () => {
    const named = new Set(endpoints.map(([, { command }]) => command));
    const commands = (await readCommands()).map(({ name }) => name.replace(/ [[<].*$/, ''));
    assert.deepEqual(
      commands.filter((command) => !named.has(command)),
      Object.keys(WITHOUT_ENDPOINT),
    );
  });

  it('each endpoint that is not for a browser has a command, or a documented reason to have none', () => {
    const without = endpoints.filter(
      ([, { audience, command }]) => ['own', 'operator'].includes(audience) && command === undefined,
    );
    assert.deepEqual(
      without.map(([name]) => name),
      Object.keys(WITHOUT_COMMAND),
    );
  });

  it('each command that an endpoint names exists', async () => {
    const commands = (await readCommands()).map(({ name }) => name.replace(/ [[<].*$/, ''));
    for (const [name, { command }] of endpoints)
      if (command) assert.ok(commands.includes(command), `${name}: ${command}`);
  });
});
