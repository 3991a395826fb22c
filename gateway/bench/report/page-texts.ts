/** The prose of the benchmark page. */
import { HELD_PARTS } from '../scenarios/sustained.ts';

export const METHOD = `## How it is measured

- **Full features**: signatures in both directions, validation, vault, ledger, history and callbacks; PostgreSQL with fsync
  and synchronous commits. The payout is method 1, one hryvnia to a card through WayForPay's simulator, with 64 concurrent
  payouts, for a hundred merchants in turn. Every other payout id is a sequence number; the rest have the form of UUIDs.
  Results of commit ab3ee11 and earlier used method 9, one euro to a card, with 16 concurrent payouts at a bank that
  answered at once and sent no notifications.
- **HTTP floor**: the gateway's own wire without anything behind it: body, schema and signatures, but no database.
- **SQL floor**: pgbench writes the rows of one payout, deposit or abono in one statement and one commit, with prepared
  statements, at the concurrency with the best result (for growth, at 32). A payout's rows are those that the gateway
  wrote for a real one: the same tables, indexes, columns and lengths, in the same database. Keys increase as the gateway's
  do. The floor decides nothing and reads nothing.
- **Fixed floor**: pgbench writes a plain payment, one per commit, at the concurrency with the best result: a row each in three
  tables of two to four narrow columns, and one of a thousand balances. It has nothing of the gateway's schema, so no change
  of that schema moves it. Accept and create take turns with it; the others measure it before and after.
- **Ceilings**: servers with the gateway's wire that do less than the gateway. One commits a narrow row for each payout, one
  the rows of the SQL floor, both by the gateway's group commit in one statement. Neither decides or seals anything. A worker of
  that kind drains narrow rows: a job, a posting and a callback for each payout. It sends and calls back with the gateway's rail,
  signatures and HTTP clients. A server answers the bank's notifications without a look-up. A target is out of reach if such a
  server or worker misses it too.
- **Probes**: before and after each scenario, the benchmark times a fixed calculation on every core at once and two hundred
  commits of one narrow row, and takes the medians. If the probes of a run differ by more than 10 %, the machine was not
  steady, and the benchmark writes no page. A **scaled** CPU time is multiplied by 48 ms and divided by the CPU time of the
  calculation, as if measured on a machine where the calculation takes 48 ms.
- The server's log lies in files that it used before, as it does after a few minutes in production.
- **One at a time** is the p50 of one client at the HTTP floor plus the p50 of one connection at the SQL floor.
- For accept and create, floors and gateway are warm and take turns in five short rounds, so that a machine whose speed
  drifts slows all of them. Each ratio is the median of the rounds' ratios. The spread beside it is the distance between
  the rounds as a part of their mean. Overload has three rounds.
- A checkpoint precedes each scenario. A warm-up precedes accepted payouts, accepted deposits and the search for the
  highest sustained rate. A worker that empties a queue is measured from when a quarter of the queue is done.
- **Closed loop**: each connection sends its next request after its answer. **Open loop**: requests are due at a fixed
  rate, whatever the gateway does, and the time of a request starts when it was due. A rate that does not hold is measured
  once more; the table has both measurements.
- The load generator is a separate process, whose CPU is shown beside the others'. A note says when it was busy for most
  of a core.
- **Whole life** is the CPU of the gateway's processes and of PostgreSQL from the request to the acknowledged callback,
  without banks, receiver and load.
- **CPU each** is user and system time of all processes of a kind, as the kernel counts it, divided by the accepted
  payouts. **WAL each** and **commits each** are differences of the log's position and of the transaction counter.
- **Sustained** and **memory** run everything (gateway, workers, banks, receiver) on the machine. Queues are counted every
  second. Growth is the slope of a straight line through the counts after the first fifth. Sustained tries
  ${HELD_PARTS.join(', ')} of the highest rate of the short runs in turn, until one holds for minutes. The table also has
  the rates that did not hold.
- **Growth** fills the tables with the rows of final payouts. Each size is measured right after a checkpoint that follows
  the filling. At ten million rows, nearly every random payout id therefore touches index pages that PostgreSQL then writes
  to its log in full.
- **Manage** fills the tables without their indexes and builds those afterwards. It calls the operation behind each endpoint,
  one call at a time, about sixty payouts of sixty days, after twenty calls about others. **Server time** is the elapsed time
  without the time that the gateway and its database connection were ready and waited for a core.
- After each scenario, the benchmark verifies the books like \`gateway verify\`.`;

export const REPEAT = `## How to run it

\`\`\`sh
npm run bench                                          # the usual scenarios, a few minutes
npm run bench -- --only accept --seconds 10            # one scenario, or several with commas
npm run bench -- --full --plots docs/benchmarks        # everything, with this page and its pictures; takes hours
npm run bench -- --full --plots docs/benchmarks --resume   # continues an interrupted run
npm run bench -- --only growth --rows 1000,1000000 --keep /var/tmp/bench   # keeps the database for the next run
npm run bench -- --only manage --rows 10000000         # lists, search, balances and statements for people
\`\`\`

\`--minutes\` sets the duration of sustained loads, \`--rate\` replaces the search for their rate, and \`--json\` prints one document.
The largest tables of growth take about 40 GB of disk.`;
