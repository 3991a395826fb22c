/**
 * The gateway that creates the history: the real one on the real database, with replacements for its banks and the network.
 * Its clock moves only while the gateway is idle, so two weeks take only as long as the work in them.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createManualClock, type Instant, type ManualClock } from '../../../gateway/src/foundation/clock.ts';
import type { Random } from '../../../gateway/src/foundation/random.ts';
import { type Gateway, openGateway } from '../../../gateway/src/main/compose/compose.ts';
import type { Config } from '../../../gateway/src/main/config/config.ts';
import { OUTSIDE } from '../../../gateway/src/main/outside.ts';
import { type WatchedDatabase, watchDatabase } from '../../../gateway/src/main/sandbox/sandbox-parts.ts';
import { type CardProvider, createCardProvider } from './card-provider.ts';
import type { SendRequest } from './requests.ts';
import { createStandIns, type StandIns } from './stand-ins.ts';

/** The parts that the modules of the history share. */
export interface Scene {
  readonly gateway: Gateway;
  readonly clock: ManualClock;
  readonly random: Random;
  readonly banks: StandIns;
  readonly cards: CardProvider;
  /** Sends a request to the gateway's public listener. */
  readonly request: SendRequest;
  /** Advances the clock as slowly as the work needs. */
  during<Value>(work: Promise<Value>): Promise<Value>;
  /** Advances the clock, and lets the gateway do the due work. */
  pass(ms: number): Promise<void>;
}

interface HistoryGateway extends Scene {
  close(): Promise<void>;
}

interface HistoryGatewayOptions {
  readonly config: Config;
  readonly logTo: { write(line: string): void };
  readonly from: Instant;
  readonly random: Random;
}

/** How long merchants' servers take to respond. */
const [FASTEST_MS, SPREAD_MS] = [40, 300];

/** Rails without payments in the history are off, because each rail polls. */
const WITHOUT_HISTORY = { sandbox: null, epoint: null, pix: null, trustly: null, tokenIo: null } as const;

export async function openHistoryGateway(options: HistoryGatewayOptions): Promise<HistoryGateway> {
  const { config, logTo, from, random } = options;
  const clock = createManualClock(from);
  const banks = createStandIns(clock, random);
  const cards = createCardProvider(random);
  let queries: WatchedDatabase | undefined;
  let deliveries = 0;
  const atRest = () => untilAtRest(() => (queries?.inFlight() ?? 0) + deliveries > 0);
  /** Requests and shutdown may wait for a time of this clock. */
  const during = async <Value>(work: Promise<Value>): Promise<Value> => {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    while (!isOver) {
      await atRest();
      if (isOver) break;
      clock.advance(TICK_MS);
      await sleep(LOOK_MS);
    }
    return over;
  };
  const gateway = await openGateway(
    { ...config, rails: { ...config.rails, ...WITHOUT_HISTORY } },
    {
      clock,
      clockIsSteered: true,
      logTo,
      pace: { goodbyeMs: 0 },
      watchDatabase(database) {
        queries = watchDatabase(database);
        return queries.database;
      },
      outside: {
        ...OUTSIDE,
        // A crash would lose only the last moments of an invented history.
        openDatabase: (server, given) =>
          OUTSIDE.openDatabase(server, { ...given, session: { ...given.session, synchronous_commit: 'off' } }),
        createRails(...given) {
          const rails = OUTSIDE.createRails(...given);
          const paymentRails = rails.paymentRails.map(cards.inPlaceOf);
          return { ...rails, ...banks.inPlaceOf(rails), paymentRails };
        },
        createCallbackTransport(parts) {
          const transport = OUTSIDE.createCallbackTransport({ ...parts, signingTime: clock.now });
          return {
            ...transport,
            async deliver(...given) {
              deliveries += 1;
              try {
                const latencyMs = Math.round(FASTEST_MS + SPREAD_MS * random.fraction() ** 2);
                return { ...(await transport.deliver(...given)), latencyMs };
              } finally {
                deliveries -= 1;
              }
            },
          };
        },
      },
    },
  );
  const serving = await gateway.serve('all', { housekeeping: false });
  return {
    gateway,
    clock,
    random,
    banks,
    cards,
    during,
    async request(path, asked) {
      const answer = await during(fetch(`${serving.url}${path}`, { redirect: 'manual', ...asked }));
      return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') };
    },
    async pass(ms) {
      clock.advance(ms);
      await atRest();
    },
    async close() {
      await during(serving.stop({ replaced: true }));
      await during(gateway.close());
    },
  };
}

const TICK_MS = 10;
const LOOK_MS = 1;
/** After this many iterations of the event loop without a statement, the gateway is idle. */
const CALM_TURNS = 6;

async function untilAtRest(isWorking: () => boolean): Promise<void> {
  for (let calm = 0; calm < CALM_TURNS; ) {
    await (isWorking() ? sleep(LOOK_MS) : nextTurn());
    calm = isWorking() ? 0 : calm + 1;
  }
}
