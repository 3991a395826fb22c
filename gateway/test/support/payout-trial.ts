/**
 * Payouts through a whole gateway and one provider's simulator, over HTTP: a merchant of its own asks for 10.00 of the 100.00 it
 * has, and what becomes of that is looked at from every side: the status, the verified callback, the balance, the provider's book.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import type { PayoutRecord } from '../../src/domain/payouts/payout-record.ts';
import type { Currency } from '../../src/foundation/currency.ts';
import type { EnvironmentVariables } from '../../src/main/config.ts';
import {
  assertReversalTold,
  assertStands,
  assertTold,
  assertUnlogged,
  type End,
  recordOf,
  type Standing,
  type Trial,
} from './payout-ends.ts';
import { EXAMPLE_PAYOUTS, type RequestFields } from './payout-request.ts';
import { freePort, type RunningGateway, startGateway } from './running-gateway.ts';
import { askSimulator } from './simulator-control.ts';

/** The gateway's patience is shortened; its rules are not. */
const SHORT_PATIENCE = {
  rail: { timeoutMs: 700, notFoundProofMs: 300, askAfterMs: [100, 200, 500] },
  recordingMs: 700,
} as const;

/** Longer than any provider here takes to tell late, twice or that something came back. */
const LATER_MS = 1_000;

/** A provider's simulator as its trials need it. */
export interface TrialProvider<Entry> {
  /** The gateway's name of its rail. */
  readonly rail: string;
  /** What each method that it carries is asked for with, beside the example. */
  readonly methods: Readonly<Record<number, RequestFields>>;
  /** Its faults before each test. */
  readonly usual: object;
  /** In memory or in `folder`; it tells at `notifyUrl`. */
  start(folder: string, notifyUrl: string): Promise<StartedProvider>;
  /** What its book knows a payout by. */
  readonly known: (record: PayoutRecord) => string;
  /** By that, who was paid: once for each time. */
  readonly executed: (book: readonly Entry[]) => readonly string[];
}

/** How each simulator runs here. */
export const HERE = { host: '127.0.0.1', clock: systemClock, log: () => {} } as const;

/** Of a book whose entries are snapshots that count how often money went out: by `id` what it tells apart, by `name` what we do. */
export function counted<Entry extends { readonly executions: number }>(
  book: readonly Entry[],
  id: (entry: Entry) => unknown,
  name: (entry: Entry) => string,
): readonly string[] {
  const latest = new Map(book.map((entry) => [id(entry), entry]));
  return [...latest.values()].flatMap((entry) => Array<string>(entry.executions).fill(name(entry)));
}

/** Where a provider knows a payout by the reference that it was sent under. */
export const referenceOf = ({ attempts }: PayoutRecord): string => attempts[0]?.reference ?? '';

export const remittanceOf = ({ payout }: PayoutRecord): string => `${payout.merchantId}/${payout.payoutId}`;

export interface StartedProvider {
  readonly control: { readonly url: string; readonly secret: string };
  /** The gateway's. */
  readonly variables: EnvironmentVariables;
  close(): Promise<void>;
}

export interface Trials {
  readonly gateway: RunningGateway;
  /** Another gateway over the same simulator, which has these variables otherwise. The caller stops it. */
  open(variables: EnvironmentVariables): Promise<RunningGateway>;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  /** The usual ones but for these. */
  faults(change: object): Promise<unknown>;
  begin(method: number, change?: RequestFields, by?: RunningGateway): Promise<Trial>;
  beginAll(methods: readonly number[], change?: RequestFields, by?: RunningGateway): Promise<readonly Trial[]>;
  /** Who was paid, once for each time, as the provider's book has it now. */
  executed(): Promise<readonly string[]>;
  executionsOf(trial: Trial): Promise<number>;
  /** `executions`: what was undone before anybody knew it done is no success. */
  ends(trial: Trial, end: End, executions?: number): Promise<void>;
  /** It succeeded, and then the provider told that the money is back: the end stays, an event tells of it. */
  isReversed(trial: Trial): Promise<void>;
  /** After all that came late: each is as it ended, nobody was paid but those, no account is in the log, the books are right. */
  allStand(): Promise<void>;
  close(): Promise<void>;
}

export async function openTrials<Entry>(provider: TrialProvider<Entry>): Promise<Trials> {
  const folder = await mkdtemp(join(tmpdir(), `payouts-${provider.rail}-`));
  const port = String(await freePort());
  const started = await provider.start(folder, `http://127.0.0.1:${port}/rail-notifications/${provider.rail}`);
  const open = (variables: EnvironmentVariables) =>
    startGateway({ withoutBank: true, variables: { ...started.variables, ...variables }, pace: SHORT_PATIENCE });
  const gateway = await open({ PORT: port });
  const control = (what: string, body?: object) => askSimulator(started.control, what, body);
  const begun: Trial[] = [];
  let merchants = 0;
  async function begin(method: number, change: RequestFields = {}, by = gateway): Promise<Trial> {
    const trial = await beginTrial(by, `T${++merchants}`, method, { ...provider.methods[method], ...change });
    begun.push(trial);
    return trial;
  }
  const executed = async () => provider.executed(await readBook<Entry>(control));
  const { allStand, ...looks } = looksAt(provider, executed);
  return {
    gateway,
    open,
    control,
    faults: (change) => control('faults', { ...provider.usual, ...change }),
    begin,
    beginAll: (methods, change, by) => Promise.all(methods.map((method) => begin(method, change, by))),
    executed,
    ...looks,
    async allStand() {
      await sleep(LATER_MS);
      await allStand();
      begun.forEach(assertUnlogged);
      await assertReconciled(gateway, provider.rail);
      await gateway.verify();
    },
    async close() {
      await gateway.stop();
      await started.close();
      await rm(folder, { recursive: true });
    },
  };
}

function looksAt(provider: Pick<TrialProvider<never>, 'rail' | 'known'>, executed: Trials['executed']) {
  const standings = new Map<Trial, Standing>();
  async function executionsOf(trial: Trial, paid?: readonly string[]): Promise<number> {
    const known = provider.known(await recordOf(trial));
    return (paid ?? (await executed())).filter((name) => name === known).length;
  }
  async function stands(trial: Trial, standing: Standing, paid?: readonly string[]): Promise<void> {
    standings.set(trial, standing);
    await assertStands(trial, standing);
    assert.equal(await executionsOf(trial, paid), standing.executions, 'the provider’s book');
  }
  return {
    executionsOf: (trial: Trial) => executionsOf(trial),
    async ends(trial: Trial, end: End, executions = end === 'Success 0' ? 1 : 0): Promise<void> {
      await assertTold(trial, end);
      assert.equal((await recordOf(trial)).payout.rail, provider.rail);
      const balance = end === 'Success 0' ? (100 - Number(trial.fields['amount'])).toFixed(2) : '100.00';
      await stands(trial, { end, balance, events: 0, executions });
    },
    async isReversed(trial: Trial): Promise<void> {
      await assertTold(trial, 'Success 0');
      await assertReversalTold(trial);
      await stands(trial, { end: 'Success 0', balance: '100.00', events: 1, executions: 1 });
    },
    async allStand(): Promise<void> {
      const paid = await executed();
      for (const [trial, standing] of standings) await stands(trial, standing, paid);
      const expected = [...standings.values()].reduce((sum, { executions }) => sum + executions, 0);
      assert.equal(paid.length, expected, 'nobody else was paid');
    },
  };
}

async function readBook<Entry>(control: Trials['control']): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const page = (await control(`book?after=${entries.length}`))['entries'] as Entry[];
    if (page.length === 0) return entries;
    entries.push(...page);
  }
}

async function beginTrial(
  gateway: RunningGateway,
  merchantId: string,
  method: number,
  change: RequestFields,
): Promise<Trial> {
  const currency = EXAMPLE_PAYOUTS[method]?.['currency'] as Currency;
  const merchant = await gateway.merchant({ funds: { [currency]: '100.00' } }, merchantId);
  const payoutId = `by-${method}`;
  const { status, description } = await merchant.pay(method, payoutId, change);
  assert.equal(status, 'Pending', description ?? '');
  return { gateway, merchant, payoutId, fields: merchant.request(method, payoutId, change) as Trial['fields'] };
}

/** What a provider without a list says of everything that ended today, asked about each, is what the ledger has. */
async function assertReconciled({ operations }: RunningGateway, rail: string): Promise<void> {
  const compared = await operations.reconciliation.run(rail, new Date().toISOString().slice(0, 10));
  if (compared?.by !== 'asking') return;
  assert.deepEqual(compared.differences, []);
  assert.ok(compared.reconciliation.matched > 0);
}
