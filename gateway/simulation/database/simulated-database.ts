/**
 * The database of one simulated process: a real database, whose statements wait for their turn in the world. It can lose a
 * connection before or after a commit, and it can become unreachable for a while.
 */
import type pg from 'pg';
import { type Database, openDatabase, type Queryable } from '../../src/storage/core/database.ts';
import type { Life } from '../world/life.ts';
import { ProcessDied, type Turn, type TurnKind } from '../world/turn-queue.ts';
import type { World } from '../world/world.ts';

/** The only statement that reads the server's clock (storage/core/connection/clock-difference.ts). */
const CLOCK_STATEMENT = 'select clock_timestamp() as now';

/** The statement that begins attempts of payouts (storage/payouts/claim-payouts.ts). */
const CLAIM_STATEMENT = 'claim-payouts';

interface ClaimedRow {
  readonly merchant_id: string;
  readonly payout_id: string;
  readonly begins: boolean;
}

/** A fault of one commit: the connection is lost before or after it takes effect. */
type CommitFault = 'lost_before' | 'lost_after' | undefined;

export interface DatabaseFaults {
  /** True while no process can reach the database. */
  isAway(): boolean;
  /** Called for each commit. A commit in flight when the database becomes unreachable may or may not take effect. */
  commitFault(life: Life): CommitFault;
}

class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = '57P01';
}

/** Makes the real database roll back immediately, even if the simulated database lost its connection. */
class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

const POOL_SIZE = 60;
/** More transactions could exhaust the pool: a turn would then wait for a connection that no other turn releases. */
const MOST_TRANSACTIONS = 50;
/** Real time must not affect the run, because a transaction may wait long for its turn. */
const UNHURRIED = { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' };

type Begin = Database['transaction'];

export class SimulatedDatabase implements Database {
  readonly #world: World;
  readonly #life: Life;
  readonly #faults: DatabaseFaults;
  readonly #inner: Database;
  readonly #singles: Queryable;
  /** Rejects the open transactions when the connection is cut. */
  readonly #open = new Set<(error: Error) => void>();
  /** Closes the sessions outside the pool. */
  readonly #sessions = new Set<() => void>();
  #cuts = 0;
  #transactions = 0;
  /** Transactions that wait until others have ended. */
  readonly #queue: (() => void)[] = [];
  readonly #unfinished = new Set<Promise<unknown>>();

  constructor(world: World, life: Life, config: pg.ClientConfig, faults: DatabaseFaults) {
    this.#world = world;
    this.#life = life;
    this.#faults = faults;
    this.#inner = openDatabase({ ...config, application_name: life.name }, { poolSize: POOL_SIZE, session: UNHURRIED });
    this.#singles = this.#inTurns(this.#inner, 'single');
  }

  readonly query: Queryable['query'] = (text, values) => this.#singles.query(text, values);
  readonly prepared: Queryable['prepared'] = (name, text, values) => this.#singles.prepared(name, text, values);
  readonly transaction: Begin = (work) => this.#lived(this.#inTurn(this.#inner.transaction, work));
  readonly longTransaction: Begin = (work) => this.#lived(this.#inTurn(this.#inner.longTransaction, work));
  readonly snapshot: Begin = (work) => this.#lived(this.#inTurn(this.#inner.snapshot, work));
  readonly close = () => this.#inner.close();

  readonly connect: Database['connect'] = () => this.#lived(this.#openSession());

  async #openSession(): ReturnType<Database['connect']> {
    const session = await this.#during('single', () => this.#inner.connect());
    if (!this.#life.isAlive()) {
      session.release();
      throw new ProcessDied();
    }
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#sessions.delete(release);
      forget();
      session.release();
    };
    const forget = this.#life.onDeath(release);
    this.#sessions.add(release);
    return { connection: this.#inTurns(session.connection, 'single', () => isReleased), release };
  }

  /** Resolves once no trace of the dead process is left in the database. */
  async bury(): Promise<void> {
    await Promise.all(this.#unfinished);
    await this.#inner.close();
  }

  cut(): void {
    this.cutTransactions();
    for (const end of [...this.#sessions]) end();
  }

  /** Cuts the connections that are in a transaction. */
  cutTransactions(): void {
    this.#cuts += 1;
    for (const end of [...this.#open]) end(new ConnectionLost('Connection terminated by the server'));
  }

  #refuseAway(): void {
    if (this.#faults.isAway()) throw new ConnectionLost('Connection terminated: the database is away');
  }

  async #during<Result>(
    kind: TurnKind,
    work: () => Promise<Result>,
    isCut = () => false,
    statement?: string,
  ): Promise<Result> {
    const turn = await this.#world.turn(this.#life, kind, statement);
    try {
      this.#refuseAway();
      if (isCut()) throw new ConnectionLost('Connection terminated earlier');
      return await work();
    } finally {
      await turn.answered();
      turn.release();
    }
  }

  /** `isCut` returns true once the connection is lost or released. It then rejects every statement. */
  #inTurns(target: Queryable, kind: TurnKind, isCut = () => false): Queryable {
    return {
      query: (text, values) =>
        this.#lived(this.#during(kind, () => this.#said(text, target.query(text, values)), isCut, beginningOf(text))),
      prepared: (name, text, values) =>
        this.#lived(this.#during(kind, () => this.#seen(name, target.prepared(name, text, values)), isCut, name)),
    };
  }

  /** Replaces the database's clock by the world's clock. */
  async #said<Row>(text: string, answer: Promise<Row[]>): Promise<Row[]> {
    const rows = await answer;
    return text === CLOCK_STATEMENT ? ([{ now: this.#world.now() }] as Row[]) : rows;
  }

  async #seen<Row>(name: string, answer: Promise<Row[]>): Promise<Row[]> {
    const rows = await answer;
    if (name !== CLAIM_STATEMENT) return rows;
    const begun = (rows as ClaimedRow[]).filter(({ begins }) => begins);
    const names = begun.map(({ merchant_id, payout_id }) => `${merchant_id}/${payout_id}`);
    if (names.length > 0) this.#world.afterClaim(this.#life, names);
    return rows;
  }

  /** Never settles for the caller in a dead process, but still releases the connection. */
  #lived<Result>(work: Promise<Result>): Promise<Result> {
    const ended: Promise<unknown> = work.catch(() => {}).finally(() => this.#unfinished.delete(ended));
    this.#unfinished.add(ended);
    return this.#life.whileAlive(work);
  }

  /** Rejects as soon as the connection is cut or the process dies, whatever `work` does. */
  #cuttable<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      // The end of the previous turn may have killed the process.
      if (!this.#life.isAlive()) return reject(new ProcessDied());
      const cut = (error: Error) => {
        end();
        reject(error);
      };
      const forget = this.#life.onDeath(() => cut(new ProcessDied()));
      const end = () => {
        this.#open.delete(cut);
        forget();
      };
      this.#open.add(cut);
      work().then(resolve, reject).finally(end);
    });
  }

  async #inTurn<Result>(begin: Begin, work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    if (this.#transactions === MOST_TRANSACTIONS) await new Promise<void>((enter) => this.#queue.push(enter));
    else this.#transactions += 1;
    try {
      return await this.#inTransaction(begin, work);
    } finally {
      const enter = this.#queue.shift();
      if (enter) enter();
      else this.#transactions -= 1;
    }
  }

  async #inTransaction<Result>(begin: Begin, work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    const life = this.#life;
    let held: Turn | undefined = await this.#world.turn(life, 'begin');
    this.#world.openTransactions += 1;
    let fault: CommitFault;
    let isOver = false;
    const cutsBefore = this.#cuts;
    const inFlight = new Set<Promise<unknown>>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    try {
      this.#refuseAway();
      const result = await begin(async (transaction) => {
        held?.release();
        held = undefined;
        try {
          const statements = watched(transaction, inFlight);
          const done = await this.#cuttable(() => work(this.#inTurns(statements, 'statement', () => isOver)));
          held = await this.#world.turn(life, 'commit');
          // A process that was stalled commits on a connection that the server has already closed.
          const isLate = this.#cuts !== cutsBefore && !this.#faults.isAway();
          fault = isLate ? 'lost_before' : this.#faults.commitFault(life);
          if (fault === 'lost_before') throw new ConnectionLost('Connection terminated in commit');
          return done;
        } catch (error) {
          isOver = true;
          const isCut = !life.isAlive() || error instanceof ConnectionLost;
          if (!held && !isCut) held = await this.#world.turn(life, 'rollback').catch(() => undefined);
          if (!held) {
            // PostgreSQL rolls back after the statement in flight, which may wait for a lock.
            await Promise.all(inFlight);
            this.#world.ending(ended);
          }
          throw new RolledBack('rolled back', { cause: error });
        }
      });
      if (fault === 'lost_after') throw new ConnectionLost('Connection terminated after commit');
      return result;
    } catch (error) {
      throw error instanceof RolledBack ? error.cause : error;
    } finally {
      this.#world.openTransactions -= 1;
      end();
      await held?.answered();
      held?.release();
    }
  }
}

/** Returns `target`, which now keeps its incomplete statements in `inFlight`. */
function watched(target: Queryable, inFlight: Set<Promise<unknown>>): Queryable {
  const watch = <Result>(answer: Promise<Result>): Promise<Result> => {
    const answered: Promise<unknown> = answer.catch(() => {}).finally(() => inFlight.delete(answered));
    inFlight.add(answered);
    return answer;
  };
  return {
    query: (text, values) => watch(target.query(text, values)),
    prepared: (name, text, values) => watch(target.prepared(name, text, values)),
  };
}

const SHOWN_LETTERS = 60;

/** Names a statement in the event sequence of a run. */
function beginningOf(text: string): string {
  return text.trim().slice(0, SHOWN_LETTERS).replaceAll(/\s+/g, ' ');
}
