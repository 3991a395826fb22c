import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import type { Caller } from '../../../domain/people/caller.ts';
import { createManualClock } from '../../../foundation/clock.ts';
import { ok } from '../../../foundation/result.ts';
import { readOwnSession, SESSION_PATIENCE_MS } from './own-session.ts';

const ORIGIN = 'https://pages.example';
const COOKIE = '__Host-gateway-session=token';
const PERSON: Caller = {
  actor: { kind: 'person', id: 'p1', name: 'Olga Orlova' } as unknown as Caller['actor'],
  merchantId: null,
  permissions: new Set(),
  session: { sessionId: 's1', personId: 'p1', way: 'passkey', createdAt: 0 },
};
const ANSWER = { person: { name: 'Olga Orlova' } };

/** `session`: the caller of a valid session. Returns the session that the page of a visitor with `headers` gets. */
function stage(session: () => Promise<Caller | undefined>, show = async () => ok({ answer: ANSWER })) {
  const clock = createManualClock(0);
  const app = Fastify();
  const seen: unknown[] = [];
  app.get('/', async (request) => {
    const found = await readOwnSession(
      {
        clock,
        origin: ORIGIN,
        authenticate: { session, token: async () => undefined },
        handlers: { 'session.show': show as never },
      },
      request,
    );
    seen.push(found);
    return '';
  });
  return {
    clock,
    async visit(headers: Readonly<Record<string, string>>) {
      await app.inject({ url: '/', headers });
      return seen.at(-1);
    },
  };
}

describe('the visitor’s own session in a page', () => {
  it('session.show returns the session of a signed-in visitor', async () => {
    const { visit } = stage(async () => PERSON);
    assert.deepEqual(await visit({ cookie: COOKIE }), ANSWER);
  });

  it('a visitor without a cookie, or with an expired session, is not signed in', async () => {
    const { visit } = stage(async () => undefined);
    assert.deepEqual([await visit({}), await visit({ cookie: COOKIE })], [null, null]);
  });

  it('a page opened by a link on another site does not contain the session', async () => {
    const { visit } = stage(async () => PERSON);
    assert.equal(await visit({ cookie: COOKIE, 'sec-fetch-site': 'cross-site' }), undefined);
  });

  it('a failed session lookup leaves the session unknown', async () => {
    const failing = stage(() => Promise.reject(new Error('the database is down')));
    const failingLater = stage(
      async () => PERSON,
      () => Promise.reject(new Error('the database is down')),
    );
    assert.equal(await failing.visit({ cookie: COOKIE }), undefined);
    assert.equal(await failingLater.visit({ cookie: COOKIE }), undefined);
  });

  it('a session lookup that takes longer than a second leaves the session unknown, and the page is sent', async () => {
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const { visit, clock } = stage(() => {
      isAsked();
      return new Promise(() => {});
    });
    const visited = visit({ cookie: COOKIE });
    await asked;
    clock.advance(SESSION_PATIENCE_MS);
    assert.equal(await visited, undefined);
  });
});
