import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findOffences } from './house-rules.ts';

const root = mkdtempSync(join(tmpdir(), 'house-rules-'));
after(() => rmSync(root, { recursive: true }));

function offencesOf(path: string, text: string): string[] {
  rmSync(root, { recursive: true });
  for (const [file, content] of [
    ['gateway/src/rails/acme-bank/payout-rail.ts', "export const acmeBankPayoutRail = 'acme-bank';"],
    [path, text],
  ] as const) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return findOffences(root);
}

describe('the rules of the house', () => {
  it('are kept', () => {
    assert.deepEqual(findOffences(), []);
  });

  const offences = [
    ['gateway/src/domain/a.ts', 'const a = Date.now();'],
    ['gateway/src/storage/a.ts', 'const a = new Date();'],
    ['gateway/src/worker/a.ts', 'const a = Math.random();'],
    ['gateway/src/protocol/a.ts', "import { randomUUID } from 'node:crypto';"],
    ['gateway/src/storage/embedded/a.ts', 'const a = performance.now();'],
    ['rail-simulators/src/a.ts', 'const a = Date.now();'],
    ['gateway/src/domain/a.test.ts', "test.skip('a', () => {});"],
    ['gateway/test/api/a.test.ts', "test('a', { skip: 'later' }, () => {});"],
    ['gateway/test/api/a.test.ts', "test('a', { only: true }, () => {});"],
    ['gateway/src/domain/utils.ts', ''],
    ['gateway/src/common/a.ts', ''],
    ['gateway/src/worker/a.ts', "if (rail === 'acme-bank') pay();"],
    ['gateway/src/main/compose.ts', "import { a } from '../rails/acme-bank/payout-rail.ts';"],
    ['gateway/src/cli/a.ts', 'const rail = acmeBankPayoutRail;'],
  ] as const;
  for (const [path, text] of offences) {
    it(`are broken by ${path}: ${text || 'its name'}`, () => {
      assert.equal(offencesOf(path, text).length, 1);
    });
  }

  const allowed = [
    ['gateway/src/foundation/clock.ts', 'const a = Date.now();'],
    ['gateway/src/main/compose.ts', 'const a = new Date();'],
    ['gateway/src/domain/a.ts', '// Never Date.now: the clock is a parameter.\nconst a = new Date(instant);'],
    ['gateway/src/domain/a.test.ts', 'const a = Date.now();'],
    ['gateway/src/rails/registry.ts', "import { acmeBankPayoutRail } from './acme-bank/payout-rail.ts';"],
    ['gateway/src/main/config.ts', "const RAILS = ['acme-bank'];"],
    ['gateway/test/api/a.test.ts', "const rail = 'acme-bank';"],
  ] as const;
  for (const [path, text] of allowed) {
    it(`allow, in ${path}: ${text}`, () => {
      assert.deepEqual(offencesOf(path, text), []);
    });
  }
});
