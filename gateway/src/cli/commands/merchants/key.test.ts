import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Deep, runOver as run } from '../../../../test/support/gateway/run-over.ts';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { KeyRotation } from '../../../domain/merchants/rotate-merchant-key.ts';
import { ok } from '../../../foundation/result.ts';
import { Secret } from '../../../foundation/secret.ts';

const AT = Date.UTC(2026, 10, 20, 10);

/** A gateway that rotates the key of M1 and adds each requested rotation to `asked`. */
function rotating(asked: KeyRotation[], oldKeyRetiresAt: number | null): Deep<GatewayOperations> {
  return {
    merchants: {
      rotateKey: async (_merchantId, rotation) => {
        asked.push(rotation);
        return ok({ merchant: merchantNamed('M1'), key: new Secret('NewKey012345'), oldKeyRetiresAt });
      },
    },
  };
}

test('key rotate creates an API key unless --purpose is form', async () => {
  const asked: KeyRotation[] = [];
  const { stdout } = await run('key rotate M1 --json', rotating(asked, AT));
  const printed = { key: 'NewKey012345', oldKeyValidUntil: '2026-11-20T10:00:00.000Z' };
  assert.deepEqual(JSON.parse(stdout), { ...printed, purpose: 'api' });
  const form = await run('key rotate M1 --purpose form --overlap-hours 0 --json', rotating(asked, AT));
  assert.deepEqual(JSON.parse(form.stdout), { ...printed, purpose: 'form' });
  assert.deepEqual(
    asked.map(({ purpose, overlapHours }) => [purpose, overlapHours]),
    [
      ['api', undefined],
      ['form', 0],
    ],
  );
});

test('key rotate prints the kind of key, and does not mention an old key when this is the first', async () => {
  const again = await run('key rotate M1', rotating([], AT));
  assert.match(
    again.stdout,
    /Rotated the API key of merchant M1\.\n {2}key {2}NewKey012345\n.*The old key is valid until 2026-11-20/,
  );
  const first = await run('key rotate M1 --purpose form', rotating([], null));
  assert.match(
    first.stdout,
    /Rotated the form key of merchant M1\.\n {2}key {2}NewKey012345\n {2}The key is shown only once\.\n$/,
  );
});

test('key rotate rejects an unknown purpose', async () => {
  const { stderr, exitCode } = await run('key rotate M1 --purpose payout', {});
  assert.match(stderr, /--purpose.*Allowed choices are api, form/);
  assert.notEqual(exitCode, 0);
});
