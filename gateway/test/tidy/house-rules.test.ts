/** The project follows the house rules, and the check finds planted violations. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findOffences } from './house-rules.ts';

const root = mkdtempSync(join(tmpdir(), 'house-rules-'));
after(() => rmSync(root, { recursive: true }));

const HEADER = '/** A header. */\n';

function offencesOf(path: string, text: string, header = HEADER): string[] {
  rmSync(root, { recursive: true });
  write(path, `${header}${text}`);
  if (path.startsWith('gateway/src/') && path.endsWith('a.test.ts')) write(path.replace('.test', ''), HEADER);
  return findOffences(root);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe('the house rules', () => {
  it('the project does not break a house rule', () => {
    assert.deepEqual(findOffences(), []);
  });

  it('a source file without a header breaks a house rule, unless it is a test', () => {
    const code = 'export const a = 1;';
    assert.deepEqual(offencesOf('portal/src/a.tsx', code, ''), ['portal/src/a.tsx: the file has no header']);
    assert.deepEqual(offencesOf('gateway/src/domain/a.test.ts', code, ''), []);
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
    ['gateway/src/domain/a.ts', '// The plan is in domain/gone.ts.'],
    ['gateway/src/domain/payouts/pause.ts', 'export interface PauseStore {}'],
    ['gateway/src/storage/payouts/pause-store.ts', 'export const a = 1;'],
    ['gateway/src/domain/a.ts', 'export function createSettlePayout(parts: Parts): SettlePayout {}'],
    ['gateway/src/domain/a.ts', 'export function settling(parts: Parts) {\n  return async (key) => key;\n}\n'],
    ['gateway/src/worker/a.ts', 'const status = await deadlines.within((deadline) => rail.ask(order, deadline));'],
  ] as const;
  for (const [path, text] of offences) {
    it(`a house rule rejects ${path}: ${text || 'its name'}`, () => {
      assert.equal(offencesOf(path, text).length, 1);
    });
  }

  const allowed = [
    ['gateway/src/foundation/clock.ts', 'const a = Date.now();'],
    ['gateway/src/main/compose/compose.ts', 'const a = new Date();'],
    ['gateway/src/domain/a.ts', '// Never Date.now: the clock is a parameter.\nconst a = new Date(instant);'],
    ['gateway/src/domain/a.test.ts', 'const a = Date.now();'],
    ['gateway/src/domain/a.ts', '/** See domain/a.ts. */'],
    ['gateway/src/domain/a.ts', 'export function createVault(keys: Keyring): Vault {}'],
    ['gateway/src/domain/a.ts', 'export function a() {}\n\nfunction b() {\n  return async () => 1;\n}\n'],
    ['gateway/src/domain/a.ts', "callRail(parts, rail, 'ask', order, (deadline) => rail.ask(order, deadline));"],
    ['gateway/src/rails/kit/a.ts', 'const answer = await rail.ask(order, deadline);'],
  ] as const;
  for (const [path, text] of allowed) {
    it(`the house rules accept in ${path}: ${text}`, () => {
      assert.deepEqual(offencesOf(path, text), []);
    });
  }

  const subjects = [
    ['plan-claim.test.ts', 0],
    ['plan-claim-held-payout.test.ts', 0],
    ['plan-claim.full.test.ts', 0],
    ['claim.test.ts', 1],
    ['plan-claims.test.ts', 1],
  ] as const;
  for (const [name, count] of subjects) {
    it(`the house rules find ${count} offences in ${name} next to plan-claim.ts`, () => {
      rmSync(root, { recursive: true });
      write('gateway/src/domain/plan-claim.ts', HEADER);
      write(`gateway/src/domain/${name}`, '');
      assert.equal(findOffences(root).length, count);
    });
  }
});
