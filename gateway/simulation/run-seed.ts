/** One run: the whole gateway, its banks and its merchants through all episodes of a plan, judged at each quiet moment. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, type Instant, MINUTE_MS } from '../src/foundation/clock.ts';
import { INVARIANTS } from '../src/storage/invariants/verify-invariants.ts';
import { EXAMPLE_PAYOUTS } from '../test/support/payout-request.ts';
import { configOf } from '../test/support/running-gateway.ts';
import { type CallbackOffice, createCallbackOffice } from './actors/callback-office.ts';
import { createDoor, type Door } from './actors/door.ts';
import { createSimulatedMerchant, type SimulatedMerchant } from './actors/merchant.ts';
import { createSimulatedOperator, type SimulatedOperator } from './actors/operator.ts';
import type { PaymentNotice } from './actors/payment-provider.ts';
import { type BankNews, type BankOrder, createPayoutBank, type PayoutBank } from './actors/payout-bank.ts';
import { createRecoveryOperator, type RecoveryOperator } from './actors/recovery-operator.ts';
import { createRefundOperator } from './actors/refund-operator.ts';
import { createSettingsOperator, type SettingsOperator } from './actors/settings-operator.ts';
import { createSpeiBank, type SpeiBank, type TransferNotice } from './actors/spei-bank.ts';
import { type Drawn, drawnFrom } from './drawn.ts';
import { createFailoverPromise, type FailoverPromise } from './failover-promise.ts';
import { createFormTrade, type FormTrade } from './form-trade.ts';
import { createFleet, type Fleet } from './gateway-fleet.ts';
import { judgeMemories, judgePayouts, type Query } from './judge.ts';
import { judgeDeposits } from './judge-deposits.ts';
import { judgeForm } from './judge-form.ts';
import { judgeRestore } from './judge-restore.ts';
import { createLockWatch } from './lock-watch.ts';
import { createMerchant, FORM_KEY, KEY, topUp } from './merchant-settings.ts';
import { createNetwork, type Network } from './network.ts';
import { readNextDue } from './next-due.ts';
import type { Act, Episode, Plan } from './plan.ts';
import { portsOver } from './ports.ts';
import { awaitReconciliation } from './reconciliation-times.ts';
import { createRestorableDatabase, type RestorableDatabase } from './restorable-database.ts';
import { simulateShortPauses } from './short-pauses.ts';
import { createActs } from './simulated-acts.ts';
import type { DatabaseFaults } from './simulated-database.ts';
import { type ProcessParts, type SimulatedProcess, startProcess } from './simulated-process.ts';
import { stopAutovacuum } from './stop-autovacuum.ts';
import { CALM, type Weather } from './weather.ts';
import { World } from './world.ts';

export interface Progress {
  readonly payments: number;
  /** Those of the hosted form among them. */
  readonly formPayments: number;
  readonly refunds: number;
  readonly chargebacks: number;
  readonly days: number;
}

export interface RunResult extends Progress {
  readonly seed: string;
  /** Empty: everything held. */
  readonly violations: readonly string[];
  readonly turns: number;
  readonly jumps: number;
  readonly waits: number;
  readonly wallMs: number;
  readonly trace: string;
}

const START: Instant = Date.UTC(2027, 0, 1);
/** Longer than the schedule of callbacks, and than anything else that ends by itself. */
const ENDS_WITHIN_MS = 15 * DAY_MS;
/** All invariants read whole tables, so they are checked when the payments have grown by this factor, and at the end. */
const JUDGED_WHOLE_AT_GROWTH = 2;
const METHODS = Object.keys(EXAMPLE_PAYOUTS)
  .map(Number)
  .filter((method) => method !== 70);

/** `onQuiet`: called at each quiet moment. */
export async function runPlan(plan: Plan, onQuiet: (progress: Progress) => void = () => {}): Promise<RunResult> {
  const begunAt = performance.now();
  const database = await createRestorableDatabase();
  const { admin } = database;
  const folder = await mkdtemp(join(tmpdir(), 'simulation-'));
  try {
    const run = new Run(plan, database, folder);
    await stopAutovacuum(admin);
    await run.begin();
    let judgedWhole = 0;
    for (const episode of plan.episodes) {
      await run.play(episode);
      const { payments } = run.progress();
      const isWhole = episode === plan.episodes.at(-1) || payments >= judgedWhole * JUDGED_WHOLE_AT_GROWTH;
      if (isWhole) judgedWhole = payments;
      if (isWhole) await admin.query('vacuum (analyze)');
      await run.judge(isWhole);
      onQuiet(run.progress());
      if (run.violations.length > 0) break;
    }
    await run.end();
    const { world, violations } = run;
    return {
      ...{ seed: plan.seed, violations, ...run.progress(), ...world.counts, waits: world.waits() },
      ...{ trace: world.trace(), wallMs: performance.now() - begunAt },
    };
  } catch (error) {
    // The closing of the database would hide it.
    console.error(error);
    throw error;
  } finally {
    await rm(folder, { recursive: true });
    await database.close();
  }
}

/** Everything of one run: the processes and everybody outside. */
class Run {
  readonly world: World;
  readonly violations: string[] = [];
  /** The methods that some rail carries. */
  #methods: readonly number[] = [];
  readonly #plan: Plan;
  readonly #choices: Drawn;
  readonly #weather: Weather = { ...CALM };
  readonly #network: Network;
  readonly #query: Query;
  readonly #banks = new Map<string, PayoutBank>();
  readonly #orders = new Map<string, BankOrder[]>();
  readonly #merchants = new Map<string, SimulatedMerchant>();
  readonly #spei: SpeiBank;
  readonly #office: CallbackOffice;
  readonly #fleet: Fleet;
  readonly #door: Door;
  readonly #failovers: FailoverPromise;
  readonly #forms: FormTrade;
  readonly #parts: ProcessParts;
  readonly #realPauses: () => void;
  readonly #database: RestorableDatabase;
  readonly #recovery: RecoveryOperator;
  #operator: SimulatedProcess | undefined;
  #operators = 0;
  #isRestoreDue = false;
  /** The payouts, as `merchant/payout_id`, that the last restore forgot. */
  #forgotten: readonly string[] = [];
  readonly #staff: SimulatedOperator;
  readonly #rules: SettingsOperator;
  readonly #act: (act: Act) => void;
  #awayUntil = 0;
  #since = START;

  constructor(plan: Plan, database: RestorableDatabase, folder: string) {
    const { admin, connectionString } = database;
    this.#database = database;
    const drawn = drawnFrom(`run ${plan.seed}`);
    const world = new World({ drawn, start: START, locks: createLockWatch(admin), nextDue: () => readNextDue(admin) });
    this.#plan = plan;
    this.world = world;
    this.#choices = drawn.apart('acts');
    this.#realPauses = simulateShortPauses(world);
    this.#network = createNetwork(world, this.#weather);
    this.#query = async <Row>(text: string, values: readonly unknown[] = []) =>
      (await admin.query(text, values as unknown[])).rows as Row[];
    this.#spei = createSpeiBank(world, this.#network, (notice, isForged) =>
      this.#notify(notice, isForged ? 'none' : 'some_hours'),
    );
    this.#office = createCallbackOffice({
      ...{ world, network: this.#network, violated: this.#violated },
      receive: ({ merchantId, subject, payload }) => {
        if (subject === 'payout') this.#merchants.get(merchantId)?.receiveCallback(payload);
        if (subject === 'deposit') this.#merchants.get(merchantId)?.shop.receiveCallback(payload);
      },
    });
    this.#parts = {
      ...{ world, connection: { connectionString }, admin, faults: this.#databaseFaults(drawn.apart('commits')) },
      config: configOf({ ...variablesOf(plan), GATEWAY_DATA_DIR: folder }),
      ports: (rails, life) =>
        portsOver(rails, life, {
          ...{ payoutBank: this.#payoutBank, spei: this.#spei },
          formRail: (rail, owner) => this.#forms.railOf(rail, owner),
          timeoutFactor: ({ name }) => drawn.apart(`timeouts of ${name}`).oneOf(TIMEOUT_FACTORS),
        }),
      watch: { onInvariantBroken: (name) => this.#violated(`the gateway found ${name} broken`) },
      transportOf: (life) => this.#office.transportOf(life),
    };
    this.#staff = createSimulatedOperator({
      ...{
        world,
        operations: () => this.#gateway().operations,
        anyDeposit: () => this.#anyDeposit(),
        violated: this.#violated,
      },
    });
    const person = { world, violated: this.#violated, operations: () => this.#gateway().operations };
    this.#rules = createSettingsOperator(person);
    this.#recovery = createRecoveryOperator(person);
    const disowns = (rail: string, reference: string) => this.#forms.providers.get(rail)?.disowns(reference) ?? false;
    const refundOperator = createRefundOperator({ ...person, disowns });
    this.#fleet = createFleet(world, this.#parts, plan);
    this.#failovers = createFailoverPromise({
      ...{ world, weather: this.#weather, violated: this.#violated, awayUntil: () => this.#awayUntil },
      lives: () => this.#fleet.living().map(({ life }) => life),
    });
    const door = { promise: this.#failovers, processes: this.#fleet.living };
    this.#door = createDoor({ world, network: this.#network, ...door });
    this.#forms = createFormTrade({
      ...{ world, network: this.#network, door: this.#door, violated: this.#violated },
      notify: (notice) => this.#notify(notice, 'endless'),
    });
    this.#act = createActs({
      ...{ world, choices: this.#choices, weather: this.#weather, fleet: this.#fleet, office: this.#office },
      ...{ staff: this.#staff, rules: this.#rules, refundOperator, merchants: this.#merchants, orders: this.#orders },
      rails: () => this.#gateway().core.rails,
      methods: () => this.#methods,
      failovers: this.#failovers,
      restore: () => {
        this.#isRestoreDue = true;
      },
      cutDatabase: (ms) => this.#cutDatabase(ms),
      topUp: (merchantId) =>
        void topUp(this.#gateway().operations, merchantId, `top-up-${world.now()}`).catch(() => {}),
    });
    world.tend = () => {
      if (this.#isRestoreDue) return this.#restore();
      return this.#fleet.isTending() ? this.#fleet.tend() : undefined;
    };
  }

  /** Creates the merchants and starts the processes. */
  async begin(): Promise<void> {
    const { life, gateway } = await this.#startOperator();
    this.#methods = METHODS.filter((method) =>
      gateway.core.rails.payoutRails.some(({ methods }) => methods.has(method)),
    );
    for (let index = 0; index < this.#plan.merchants; index++) await this.world.only(life, this.#addMerchant(index));
    await this.#fleet.startAll();
  }

  async play({ day, acts }: Episode): Promise<void> {
    if (acts.some(({ kind }) => kind === 'restore')) await this.#keepCopy();
    this.#since = Math.max(this.world.now(), START + day * DAY_MS);
    this.world.at(this.#since, () => {
      for (const act of acts) this.world.after(act.atMs, () => this.#act(act));
    });
    await this.world.runUntil(this.#since + ENDS_WITHIN_MS, () => this.violations.length > 0);
  }

  /** `isWhole`: also runs the checks that read whole tables. */
  async judge(isWhole: boolean): Promise<void> {
    const judged = {
      ...{ query: this.#query, merchants: this.#merchants, office: this.#office },
      ordersOf: (remittance: string) => this.#orders.get(remittance) ?? [],
      staff: this.#staff,
    };
    this.violations.push(...(await judgePayouts(judged, this.#since - DAY_MS)));
    this.violations.push(...(await judgeDeposits(judged, this.#spei, this.#since - DAY_MS)));
    this.violations.push(...(await judgeForm(this.#query, this.#forms.providers, this.#since - DAY_MS)));
    const names = new Set(this.#gateway().core.rails.payoutListers.map(({ rail }) => rail));
    const forgotten = this.#forgotten.flatMap((name) => this.#orders.get(name) ?? []);
    this.violations.push(...(await judgeRestore(this.#query, forgotten, names)));
    this.#forgotten = [];
    if (!isWhole) return;
    this.violations.push(...(await judgeMemories(judged)));
    for (const { name, sql } of INVARIANTS) {
      const rows = await this.#query(sql);
      if (rows.length > 0) this.#violated(`${name}: ${JSON.stringify(rows.slice(0, 3), asText)}`);
    }
  }

  /** Accepted payouts, and deposits with an address. */
  progress(): Progress {
    const days = Math.ceil((this.world.now() - START) / DAY_MS);
    const merchants = [...this.#merchants.values()];
    const accepted = merchants.flatMap(({ payouts }) =>
      [...payouts.values()].filter((one) => one.acceptedAt !== undefined),
    );
    const opened = merchants.reduce((sum, { shop }) => sum + shop.opened(), 0);
    const { formPayments, refunds, chargebacks } = this.#forms.count();
    return { payments: accepted.length + opened + formPayments, formPayments, refunds, chargebacks, days };
  }

  async end(): Promise<void> {
    await this.#stopAll();
    this.#realPauses();
  }

  readonly #violated = (what: string) => void this.violations.push(what);

  readonly #payoutBank = (name: string): PayoutBank => {
    const { world } = this;
    const onBooked = (order: BankOrder) => {
      const known = this.#orders.get(order.remittance) ?? [];
      if (!known.includes(order)) this.#orders.set(order.remittance, [...known, order]);
      const executed = [...known, order].filter(({ wasExecuted }) => wasExecuted);
      if (new Set(executed).size > 1) this.#violated(`${order.remittance} was executed twice`);
    };
    const notify = (news: BankNews) => this.#notify(news, 'some_hours');
    const bank = this.#banks.get(name) ?? createPayoutBank(name, { world, network: this.#network, notify, onBooked });
    this.#banks.set(name, bank);
    return bank;
  };

  async #startOperator(): Promise<SimulatedProcess> {
    this.#operator = await startProcess(this.#parts, `operator ${++this.#operators}`, null);
    return this.#operator;
  }

  async #stopAll(): Promise<void> {
    await this.#fleet.stopAll();
    await this.#operator?.bury();
  }

  /** At a quiet moment. */
  async #keepCopy(): Promise<void> {
    await this.#stopAll();
    await this.#database.keep();
    await this.#startOperator();
    await this.#fleet.startAll();
  }

  /** The database goes back to the beginning of the episode, and the operator follows docs/operations/running.md. */
  async #restore(): Promise<void> {
    const { world } = this;
    this.#isRestoreDue = false;
    world.restoredAt = world.now();
    this.#awayUntil = 0;
    Object.assign(this.#weather, CALM);
    await this.#stopAll();
    await this.#database.restore();
    const { life } = await this.#startOperator();
    await world.only(life, this.#recovery.declare());
    this.#staff.forget();
    this.#rules.forget();
    this.#forgotten = [...this.#merchants.values()].flatMap(({ id, forget }) =>
      forget(this.#since).map((payoutId) => `${id}/${payoutId}`),
    );
    await this.#fleet.startAll();
    this.#recovery.follow();
  }

  /** Ends every connection. No process gets another one for that time. */
  #cutDatabase(ms: number): void {
    this.#awayUntil = Math.max(this.#awayUntil, this.world.now() + ms);
    for (const process of [...this.#fleet.living(), this.#operator]) process?.database.cut();
    this.world.after(ms, () => {});
  }

  #databaseFaults(drawn: Drawn): DatabaseFaults {
    const weather = this.#weather;
    this.world.statementMs = () =>
      weather.statementMs > 0 && drawn.chance(0.2) ? drawn.between(0, weather.statementMs) : 0;
    const isAway = () => this.world.now() < this.#awayUntil;
    return {
      isAway,
      commitFault() {
        if (!isAway() && !drawn.chance(weather.commitLost)) return undefined;
        return drawn.chance(0.5) ? 'lost_before' : 'lost_after';
      },
    };
  }

  #notify(news: BankNews | TransferNotice | PaymentNotice, patience: Patience, attempt = 0): void {
    this.world.after(this.#network.delayMs(), async () => {
      const answer = await this.#door.post(`/rail-notifications/${news.rail}`, news);
      const isAcknowledged = answer !== 'lost' && (answer.status === 200 || answer.status === 409);
      if (isAcknowledged || patience === 'none') return;
      if (attempt >= NOTIFIED_AT_MOST && patience === 'some_hours')
        return awaitReconciliation(this.world, 'transferKey' in news ? 'transfers' : 'payouts');
      this.world.after(attempt * 5 * MINUTE_MS, () => this.#notify(news, patience, attempt + 1));
    });
  }

  async #addMerchant(index: number): Promise<void> {
    const id = `M${index}`;
    const { world } = this;
    const isDisabled = (method: number, since: Instant) => this.#rules.isDisabled(id, method, since);
    const parts = { world, door: this.#door, violated: this.#violated, isDisabled };
    const payers = { payer: this.#spei.expect, openForm: this.#forms.open };
    this.#merchants.set(id, createSimulatedMerchant({ id, key: KEY, formKey: FORM_KEY }, { ...parts, ...payers }));
    await createMerchant(this.#gateway().operations, id, index);
  }

  #gateway() {
    if (!this.#operator) throw new Error('the run has not begun');
    return this.#operator.gateway;
  }

  #anyDeposit() {
    const merchant = this.#choices.oneOf([...this.#merchants.values()]);
    const orders = [...merchant.shop.deposits.keys()].filter((order) => order.startsWith('d')).slice(-30);
    return orders.length === 0 ? undefined : { merchantId: merchant.id, orderId: this.#choices.oneOf(orders) };
  }
}

/** How long a sender repeats a notification that the gateway did not accept. A forger never does. */
type Patience = 'none' | 'some_hours' | 'endless';

const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** A process starts with the timeouts that were configured then. */
const TIMEOUT_FACTORS = [1, 1, 1, 0.5, 1.5];
const NOTIFIED_AT_MOST = 12;
function variablesOf({ rails }: Plan) {
  return {
    ...Object.fromEntries(rails.map((name) => [name, 'http://127.0.0.1:1'])),
    ...{ DATABASE_URL: 'postgresql://simulated', PUBLIC_URL: 'http://gateway.example', LOG_LEVEL: 'silent' },
  };
}
