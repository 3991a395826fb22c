/** One run: the gateway's processes over one database, all external actors, and the faults. */

import { DAY_MS, type Instant, MINUTE_MS } from '../../src/foundation/clock.ts';
import type { Gateway } from '../../src/main/compose/compose.ts';
import { configOf } from '../../test/support/gateway/running-gateway.ts';
import { EXAMPLE_PAYOUTS } from '../../test/support/payouts/payout-request.ts';
import { createDoor } from '../actors/door.ts';
import { SCARCE, topUp } from '../actors/merchant-settings.ts';
import { createLockWatch } from '../database/lock-watch.ts';
import { readNextDue } from '../database/next-due.ts';
import type { RestorableDatabase } from '../database/restorable-database.ts';
import { createDatabaseFaults, type SharedDatabaseFaults } from '../faults/database-faults.ts';
import { createFailoverPromise, type FailoverPromise } from '../faults/failover-promise.ts';
import { CALM, type Weather } from '../faults/weather.ts';
import { judgeChanges, judgeWhole } from '../judges/judge.ts';
import { createFleet, type Fleet } from '../processes/gateway-fleet.ts';
import { portsOver } from '../processes/ports.ts';
import { type ProcessParts, type SimulatedProcess, startProcess } from '../processes/simulated-process.ts';
import { type Drawn, drawnFrom } from '../world/drawn.ts';
import { createNetwork } from '../world/network.ts';
import { PACES } from '../world/pace.ts';
import { simulateShortPauses } from '../world/short-pauses.ts';
import { World } from '../world/world.ts';
import { createPerformer } from './operations.ts';
import { createOutsiders, type Outsiders } from './outsiders.ts';
import { type Episode, type Operation, type Plan, variablesOf } from './plan.ts';
import type { Progress } from './run-result.ts';

const START: Instant = Date.UTC(2027, 0, 1);
/** A period longer than the retry schedule of callbacks, and than anything else that completes without an operator. */
const ENDS_WITHIN_MS = 15 * DAY_MS;
const REPORTS_EVERY_AT_MOST_MS = 5 * MINUTE_MS;
const METHODS = Object.keys(EXAMPLE_PAYOUTS)
  .map(Number)
  .filter((method) => method !== 70);
/** Each process starts with one of these timeout factors, as after a configuration change. */
const TIMEOUT_FACTORS = [1, 1, 1, 0.5, 1.5];

export class Run {
  readonly world: World;
  readonly violations: string[] = [];
  /** The methods that some rail carries. */
  #methods: readonly number[] = [];
  readonly #plan: Plan;
  readonly #choices: Drawn;
  readonly #weather: Weather = { ...CALM };
  readonly #database: RestorableDatabase;
  readonly #faults: SharedDatabaseFaults;
  readonly #failovers: FailoverPromise;
  readonly #outsiders: Outsiders;
  readonly #parts: ProcessParts;
  readonly #fleet: Fleet;
  readonly #perform: (operation: Operation) => void;
  readonly #realPauses: () => void;
  #operator: SimulatedProcess | undefined;
  #operators = 0;
  #isRestoreDue = false;
  /** The payouts that the last restore lost, as `merchant/payout_id`. */
  #forgotten: readonly string[] = [];
  #since = START;
  #judged = 0;

  constructor(plan: Plan, database: RestorableDatabase, folder: string) {
    const { admin } = database;
    const drawn = drawnFrom(`run ${plan.seed}`);
    const world = new World({
      drawn,
      pace: PACES[plan.pace ?? 'usual'],
      start: START,
      locks: createLockWatch(admin),
      nextDue: () => readNextDue(admin),
    });
    const network = createNetwork(world, this.#weather);
    this.#plan = plan;
    this.#database = database;
    this.world = world;
    // Renaming this stream would change the event sequence of every seed.
    this.#choices = drawn.apart('acts');
    this.#realPauses = simulateShortPauses(world);
    const living = () => this.#fleet.living();
    this.#faults = createDatabaseFaults(world, this.#weather, () =>
      [...living(), this.#operator].flatMap((process) => process?.database ?? []),
    );
    this.#failovers = createFailoverPromise({
      ...{ world, weather: this.#weather, violated: this.#violated, awayUntil: this.#faults.awayUntil },
      lives: () => living().map(({ life }) => life),
    });
    this.#outsiders = createOutsiders({
      ...{ world, network, choices: this.#choices, violated: this.#violated },
      door: createDoor({ world, network, promise: this.#failovers, processes: living }),
      operations: () => this.#gateway().operations,
      otherOperations: () => (living()[0]?.gateway ?? this.#gateway()).operations,
    });
    this.#parts = this.#processParts(folder);
    this.#fleet = createFleet(world, this.#parts, plan);
    this.#perform = this.#performer();
    world.tend = () => {
      if (this.#isRestoreDue) return this.#restore();
      return this.#fleet.isTending() ? this.#fleet.tend() : undefined;
    };
  }

  async begin(): Promise<void> {
    const { life, gateway } = await this.#startOperator();
    this.#methods = METHODS.filter((method) =>
      gateway.core.rails.payoutRails.some(({ methods }) => methods.has(method)),
    );
    for (let index = 0; index < this.#plan.merchants; index++)
      await this.world.only(life, this.#outsiders.addMerchant(index, this.#scarce()));
    await this.#fleet.startAll();
  }

  async play({ day, operations }: Episode): Promise<void> {
    const since = Math.max(this.world.now(), START + day * DAY_MS);
    if (operations.some(({ kind }) => kind === 'restore')) {
      if (this.world.pace.reportsBeforeCopy) await this.#reportAt(since);
      await this.#keepCopy();
    }
    this.#since = since;
    this.world.at(this.#since, () => {
      for (const operation of operations) this.world.after(operation.atMs, () => this.#perform(operation));
    });
    await this.world.runUntil(this.#since + ENDS_WITHIN_MS, () => this.violations.length > 0);
  }

  /** Runs the frequent periodic work, such as the workers' heartbeats, at that time. */
  async #reportAt(time: Instant): Promise<void> {
    this.world.at(time, () => this.world.wakeUpTo(REPORTS_EVERY_AT_MOST_MS));
    await this.world.runUntil(time, () => false);
  }

  /** If `isWhole` is true, also runs the checks that scan entire tables. */
  async judge(isWhole: boolean): Promise<void> {
    const { merchants, office, staff, spei, forms, banks } = this.#outsiders;
    const { admin } = this.#database;
    const judged = {
      ...{ merchants, office, staff, spei, providers: forms.providers },
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        this.#judged += 1;
        return (await admin.query(text, values as unknown[])).rows as Row[];
      },
      ordersOf: (remittance: string) => banks.orders.get(remittance) ?? [],
      listed: new Set(this.#gateway().core.rails.payoutListers.map(({ rail }) => rail)),
      forgotten: this.#forgotten.flatMap((name) => banks.orders.get(name) ?? []),
    };
    this.violations.push(...(await judgeChanges(judged, this.#since - DAY_MS)));
    this.#forgotten = [];
    if (isWhole) this.violations.push(...(await judgeWhole(judged)));
  }

  /** Returns a number that increases with each step of the world and each query of the checks. */
  steps(): number {
    return this.world.steps() + this.#judged;
  }

  progress(): Progress {
    const days = Math.ceil((this.world.now() - START) / DAY_MS);
    const merchants = [...this.#outsiders.merchants.values()];
    const accepted = merchants.flatMap(({ payouts }) =>
      [...payouts.values()].filter((one) => one.acceptedAt !== undefined),
    );
    const opened = merchants.reduce((sum, { shop }) => sum + shop.opened(), 0);
    const { formPayments, refunds, chargebacks } = this.#outsiders.forms.count();
    return { payments: accepted.length + opened + formPayments, formPayments, refunds, chargebacks, days };
  }

  async end(): Promise<void> {
    await this.#stopAll();
    this.#realPauses();
  }

  readonly #violated = (what: string) => void this.violations.push(what);

  #processParts(folder: string): ProcessParts {
    const { world } = this;
    const { connectionString, admin } = this.#database;
    const { banks, spei, forms, office } = this.#outsiders;
    return {
      ...{ world, connection: { connectionString }, admin, faults: this.#faults },
      config: configOf({ ...variablesOf(this.#plan), GATEWAY_DATA_DIR: folder }),
      ports: (rails, life) =>
        portsOver(rails, life, {
          ...{ payoutBank: banks.bank, spei, formRail: forms.railOf, sharesMethods: this.#plan.sharesMethods ?? false },
          timeoutFactor: ({ name }) => world.drawn.apart(`timeouts of ${name}`).oneOf(TIMEOUT_FACTORS),
        }),
      watch: { onInvariantBroken: (name) => this.#violated(`the gateway found ${name} broken`) },
      transportOf: office.transportOf,
    };
  }

  #performer(): (operation: Operation) => void {
    const { world } = this;
    const { office, staff, rules, refundOperator, merchants, banks } = this.#outsiders;
    return createPerformer({
      ...{ world, choices: this.#choices, weather: this.#weather, fleet: this.#fleet, failovers: this.#failovers },
      ...{ office, staff, rules, refundOperator, merchants, orders: banks.orders },
      rails: () => this.#gateway().core.rails,
      methods: () => this.#methods,
      restore: () => {
        this.#isRestoreDue = true;
      },
      cutDatabase: this.#faults.cut,
      topUp: (merchantId) =>
        void topUp(this.#gateway().operations, merchantId, `top-up-${world.now()}`, this.#scarce()).catch(() => {}),
    });
  }

  async #startOperator(): Promise<SimulatedProcess> {
    this.#operator = await startProcess(this.#parts, `operator ${++this.#operators}`, null);
    return this.#operator;
  }

  async #stopAll(): Promise<void> {
    await this.#fleet.stopAll();
    await this.#operator?.bury();
  }

  /** Copies the database. Called at a quiet moment. */
  async #keepCopy(): Promise<void> {
    await this.#stopAll();
    await this.#database.keep();
    await this.#startOperator();
    await this.#fleet.startAll();
  }

  /** Returns the database to the beginning of the episode. The operator then follows docs/operations/running.md. */
  async #restore(): Promise<void> {
    const { world } = this;
    const { recovery, staff, rules, merchants } = this.#outsiders;
    this.#isRestoreDue = false;
    world.restoredAt = world.now();
    this.#faults.end();
    Object.assign(this.#weather, CALM);
    await this.#stopAll();
    await this.#database.restore();
    const { life } = await this.#startOperator();
    await world.only(life, recovery.declare());
    staff.forget();
    rules.forget();
    this.#forgotten = [...merchants.values()].flatMap(({ id, forget }) =>
      forget(this.#since).map((payoutId) => `${id}/${payoutId}`),
    );
    await this.#fleet.startAll();
    recovery.follow();
  }

  #scarce(): bigint {
    return BigInt(this.#plan.capacity?.scarceMinor ?? SCARCE);
  }

  #gateway(): Gateway {
    if (!this.#operator) throw new Error('the run has not begun');
    return this.#operator.gateway;
  }
}
