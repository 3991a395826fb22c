/** Checks the connection to the bank's simulator: certificates and access tokens. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { openPixUnderTest, type PixUnderTest } from './rail-under-test.ts';

describe('the connection to the Pix bank', () => {
  let bench: PixUnderTest;
  before(async () => {
    bench = await openPixUnderTest();
  });
  after(() => bench.close());

  it('the connection to a Pix bank requests one token for all callers', async () => {
    const { rail: fresh } = bench.connect();
    const given = async () => Number((await bench.control('summary'))['tokens']);
    const before = await given();
    await Promise.all(Array.from({ length: 5 }, () => fresh.ask(bench.order(), noDeadline())));
    assert.equal(await given(), before + 1);
    await bench.control('revoke-tokens', {});
    assert.deepEqual(await fresh.ask(bench.order(), noDeadline()), { kind: 'not_found' });
    assert.equal(await given(), before + 2);
    bench.clock.advance(10 * MINUTE_MS);
    assert.deepEqual(await fresh.ask(bench.order(), noDeadline()), { kind: 'not_found' });
    assert.equal(await given(), before + 3);
  });

  it('a Pix payment with an invalid client secret is not accepted, and the rail reports the credential', async () => {
    const stranger = bench.connect({ clientSecret: new Secret('wrong') });
    assert.deepEqual(await stranger.rail.start(bench.order(), null, noDeadline()), {
      kind: 'not_accepted',
      reason: 'no access token: HTTP 401',
    });
    assert.deepEqual(stranger.refusedCredentials, ['pix']);
  });

  const strangers: readonly (readonly [what: string, change: () => object])[] = [
    ['without a certificate', () => ({ certificateFile: '/nowhere.pem' })],
    ['with a certificate of another authority', () => ({ certificateFile: bench.configuration.caFile })],
    ['with only the system’s authorities, which did not issue the bank’s certificate', () => ({ caFile: null })],
  ];
  for (const [what, change] of strangers)
    it(`a Pix payment ${what} is not sent and not accepted`, async () => {
      const { rail: stranger } = bench.connect(change());
      const answer = await stranger.start(bench.order(), null, noDeadline());
      assert.equal(answer.kind, 'not_accepted');
      assert.equal((await bench.control('summary'))['charges'], 0);
    });
});
