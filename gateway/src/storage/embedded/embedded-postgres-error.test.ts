import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EmbeddedPostgresError, explainFileError, explainServerOutput } from './embedded-postgres-error.ts';

function fileError(code: string): Error {
  return Object.assign(new Error(`${code}: something, open '/x'`), { code });
}

describe('explanations of file system errors', () => {
  const sentences = {
    ENOSPC: /No disk space is left/,
    EDQUOT: /No disk space is left/,
    EACCES: /cannot be written by this user/,
    EROFS: /cannot be written by this user/,
    ENOTDIR: /a file is in its place/,
  };
  for (const [code, sentence] of Object.entries(sentences)) {
    it(`explainFileError explains ${code} in one sentence`, () => {
      const error = explainFileError(fileError(code), '/srv/data');
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.match(error.message, sentence);
      assert.match(error.message, /\/srv\/data/);
    });
  }
  it('explainFileError returns an error unchanged when only a code change can remove it', () => {
    const bug = fileError('EBADF');
    assert.equal(explainFileError(bug, '/srv/data'), bug);
  });
});

describe('explanations of server output', () => {
  it('explainServerOutput recognises a full disk in any line', () => {
    const output = 'FATAL:  could not write lock file "postmaster.pid": No space left on device\n';
    assert.match(explainServerOutput(output, '/srv/data', '/srv/log').message, /No disk space is left/);
  });
  it('explainServerOutput does not suggest a restore of a database that a signal stopped at its start', () => {
    const log = '2026-01-01 00:00:00 UTC [1] LOG:  received smart shutdown request\n';
    for (const output of [
      `pg_ctl: could not start server\n${log}`,
      'caught signal\n',
      '\npg_ctl was ended by SIGTERM',
    ]) {
      const { message } = explainServerOutput(output, '/srv/data', '/srv/log');
      assert.match(message, /was stopped while it started\. Its data is unharmed: start the gateway again/);
    }
  });
  it('explainServerOutput quotes the last fatal line', () => {
    const output = [
      '2026-01-01 00:00:00 UTC [1] LOG:  starting PostgreSQL',
      '2026-01-01 00:00:00 UTC [1] PANIC:  could not locate a valid checkpoint record',
      '2026-01-01 00:00:00 UTC [1] LOG:  startup process was terminated by signal 6: Aborted',
    ].join('\n');
    const { problem, remedy } = explainServerOutput(output, '/srv/data', '/srv/log');
    assert.equal(problem, 'The database in /srv/data does not start (could not locate a valid checkpoint record)');
    assert.match(remedy, /^See \/srv\/log;/);
  });
});
