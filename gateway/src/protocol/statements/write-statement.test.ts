import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import {
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../test/support/payouts/stored-payouts.ts';
import { entryOf } from '../../../test/support/tools/archive-entry.ts';
import { closeHours } from '../../domain/ledger/close-hours.ts';
import { planSettlement } from '../../domain/payouts/plan-settlement.ts';
import { composeStatement, type Statement } from '../../domain/statements/compose-statement.ts';
import { publicKeyOf, STATEMENT_FORMATS, type StatementFormat } from '../../domain/statements/statement-seal.ts';
import { verifyStatement } from '../../domain/statements/verify-statement.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { createClosingStore } from '../../storage/ledger/closing-store.ts';
import { createStatementStore } from '../../storage/statements/statement-store.ts';
import { writeStatement } from './write-statement.ts';

const MERCHANT = 'M1';
const { privateKey } = generateKeyPairSync('ed25519');
const signer = { keyId: 'S1', privateKey };
const publicKey = publicKeyOf(privateKey);

let bench: PayoutBench;
let start: number;
let until: number;
before(async () => {
  bench = await openPayoutBench();
  await bench.owner.query(
    `insert into merchants values ($1, '', null, null, null, null, null, null, 'test', '{}', now())`,
    [MERCHANT],
  );
  start = bench.clock.now();
  await bench.fund(MERCHANT, 1_000n);
  for (const [payoutId, event] of [
    ['-1+1', 'executed'],
    ['Q', 'declined'],
    ['R', 'executed'],
  ] as const) {
    await bench.store.accept(await bench.newPayout(MERCHANT, payoutId, 10n, { fee: 1n }));
    await bench.attempt(MERCHANT, payoutId);
    const report = reportOf(event, { at: bench.clock.now() + 10 });
    const plan = (facts: Parameters<typeof planSettlement>[0]) =>
      planSettlement(facts, report, { merchant: merchantNamed(MERCHANT), compose: plainCallbacks });
    await bench.store.settle({ merchantId: MERCHANT, payoutId, fence: null, plan });
    bench.clock.advance(HOUR_MS);
  }
  await bench.store.accept(await bench.newPayout(MERCHANT, 'pending', 100n));
  bench.clock.advance(2 * HOUR_MS);
  const parts = {
    store: createClosingStore(bench.database),
    clock: { ...bench.clock, sleep: async () => {} },
    clockDifference: async () => 0,
    statementLimitMs: 0,
  };
  until = await closeHours(parts, new AbortController().signal);
});
after(() => bench.verifyAndClose());

async function compose(from: number, end: number): Promise<Statement> {
  const parts = {
    store: createStatementStore(bench.database),
    ledger: bench.ledger,
    merchants: { find: async () => ({ merchant: merchantNamed(MERCHANT), keys: [] }) as never },
  };
  const composed = await composeStatement(parts, { merchantId: MERCHANT, currency: 'EUR', from, until: end });
  assert.ok(composed.ok);
  return composed.value;
}

async function bytesOf(format: StatementFormat, statement?: Statement): Promise<Buffer> {
  const { pieces } = writeStatement(statement ?? (await compose(start, until)), format, signer);
  return Buffer.concat(await collect(pieces));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const check = (file: Buffer, key = publicKey) => verifyStatement(file, async () => key);

describe('statements', () => {
  it('a statement shows each movement with its payment, and fees as separate lines', async () => {
    const { head, lines } = await compose(start, until);
    const shown = (await collect(lines())).map(({ kind, amount, payoutId }) => [kind, amount, payoutId]);
    assert.deepEqual(shown, [
      ['funding', 1_000n, null],
      ['payout', -10n, '-1+1'],
      ['payout_fee', -1n, '-1+1'],
      ['payout', -10n, 'R'],
      ['payout_fee', -1n, 'R'],
    ]);
    assert.deepEqual(head.closing, { available: 878n, reserved: 100n, owed: 0n });
    assert.deepEqual([head.isFinal, head.lines], [true, 5]);
  });

  it('opening balance plus lines equals closing balance for every part of the period', async () => {
    for (const from of [start, start + 1, start + 12, start + HOUR_MS, start + 2 * HOUR_MS + 11])
      for (const end of [from + 1, from + 30, from + HOUR_MS, until, until + HOUR_MS]) {
        const { head, lines } = await compose(from, end);
        const sum = (await collect(lines())).reduce((total, { amount }) => total + amount, 0n);
        const total = (balance: typeof head.opening) => balance.available + balance.reserved + balance.owed;
        assert.equal(total(head.opening) + sum, total(head.closing), `${from} ${end}`);
        assert.equal(head.isFinal, end <= until);
      }
  });

  it('a statement of a closed period has the same content whenever and in whichever format it is written', async () => {
    const contents = new Set<string>();
    for (const format of STATEMENT_FORMATS) {
      const file = await bytesOf(format);
      if (format !== 'xlsx') assert.deepEqual(await bytesOf(format), file, format);
      const verified = await check(file);
      assert.ok(verified.ok, `${format} ${JSON.stringify(verified)}`);
      contents.add(verified.value.manifest.contentSha256);
    }
    assert.equal(contents.size, 1);
  });

  for (const format of STATEMENT_FORMATS)
    it(`the verification of a ${format} statement detects any changed byte`, async () => {
      const file = await bytesOf(format);
      const step = Math.max(1, Math.floor(file.length / 60));
      for (let at = 0; at < file.length; at += step) {
        const changed = Buffer.from(file);
        changed[at] = (changed[at] ?? 0) ^ 1;
        assert.equal((await check(changed)).ok, false, `${format} at ${at}`);
      }
      const other = publicKeyOf(generateKeyPairSync('ed25519').privateKey);
      assert.deepEqual(await check(file, other), { ok: false, error: 'signature_wrong' });
    });

  it('no cell of a CSV statement begins with a formula character', async () => {
    const text = (await bytesOf('csv')).toString();
    assert.match(text, /,'-1\+1,/);
    assert.doesNotMatch(text, /(?:^|,)[=+@]/m);
  });

  it('no cell of an XLSX statement is a formula', async () => {
    const archive = await bytesOf('xlsx');
    assert.match(entryOf(archive, 'xl/sharedStrings.xml'), />-1\+1</);
    assert.doesNotMatch(entryOf(archive, 'xl/worksheets/sheet1.xml'), /<f[ >]/);
  });

  it('the process serves requests while it writes a long XLSX statement', async () => {
    const { head, lines } = await compose(start, until);
    const [line] = await collect(lines());
    assert.ok(line);
    async function* many() {
      for (let left = 3_000; left > 0; left--) yield line as NonNullable<typeof line>;
    }
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await bytesOf('xlsx', { head, lines: many });
    clearInterval(counting);
    assert.ok(turns > 20, `${turns} turns of other work`);
  });

  it('a statement of an open period has no signature', async () => {
    const { pieces } = writeStatement(await compose(start, until + HOUR_MS), 'csv', null);
    assert.deepEqual(await check(Buffer.concat(await collect(pieces))), { ok: false, error: 'unsigned' });
  });

  it('a partial statement of a killed process fails verification', async () => {
    for (const format of STATEMENT_FORMATS) {
      const file = await bytesOf(format);
      for (const share of [0.3, 0.9, 0.999])
        assert.equal((await check(file.subarray(0, Math.floor(file.length * share)))).ok, false, format);
    }
  });
});
