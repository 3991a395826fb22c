import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConnectionSecurity } from './connection-security.ts';
import { splitHosts, wantsNoPrimary } from './primary-hosts.ts';

describe('a DATABASE_URL with several hosts', () => {
  it('a DATABASE_URL with several hosts becomes one URL per host, without target_session_attrs', () => {
    assert.deepEqual(
      splitHosts('postgresql://u:p%2C@db-1:5432,db-2:5433/gateway?target_session_attrs=read-write&sslmode=verify-full'),
      [
        'postgresql://u:p%2C@db-1:5432/gateway?sslmode=verify-full',
        'postgresql://u:p%2C@db-2:5433/gateway?sslmode=verify-full',
      ],
    );
    assert.deepEqual(splitHosts('postgres://db-1,db-2/gateway'), [
      'postgres://db-1/gateway',
      'postgres://db-2/gateway',
    ]);
  });

  it('a DATABASE_URL with one host stays unchanged', () => {
    for (const url of ['postgresql://u@/db?host=%2Frun%2Ca', 'postgresql://u:a,b@db-1/gateway?application_name=a,b'])
      assert.deepEqual(splitHosts(url), [url]);
  });

  it('a DATABASE_URL with several hosts must reach the primary', () => {
    const wants = (attributes: string) => wantsNoPrimary(`postgresql://a,b/db?target_session_attrs=${attributes}`);
    assert.deepEqual(['read-write', 'primary', 'any', 'standby', 'prefer-standby'].map(wants), [
      false,
      false,
      true,
      true,
      true,
    ]);
    assert.equal(wantsNoPrimary('postgresql://a,b/db'), false);
  });

  it('a database URL with several hosts is only as secure as its least secure host', () => {
    assert.equal(readConnectionSecurity('postgresql://localhost,db-2.example/db'), 'plain');
    assert.equal(readConnectionSecurity('postgresql://db-1.example,db-2.example/db?sslmode=verify-full'), 'verified');
    assert.equal(readConnectionSecurity('postgresql://localhost,127.0.0.1/db'), 'local');
  });
});
