/** The prose of the benchmark page. */
import { HELD_PARTS } from '../scenarios/sustained.ts';

export const METHOD = `## How it is measured

- **Full features**: signatures both ways, checks, vault, ledger, history, callbacks; PostgreSQL with fsync and
  synchronous commits. The payout is method 1, one hryvnia to a card by WayForPay's simulator, 64 payouts at once at it,
  for a hundred merchants in turn; every other payout id is a number in sequence, the rest have the shape of UUIDs. What
  was measured at commit ab3ee11 and before was method 9, one euro to a card, 16 payouts at once at a bank that answered
  at once and told nothing by itself.
- **HTTP floor**: the gateway's own wire in front of nothing, so body, schema, signatures, and no database.
- **SQL floor**: the rows of one payout, or of one deposit or abono, written in one statement and one commit, by pgbench
  with prepared statements, at the concurrency where that goes best (in growth, at 32). A payout's rows are those that one
  sent through the gateway has left: the same tables, indexes, columns and lengths, in the same database. Keys rise as the
  gateway's do. It decides nothing and looks nothing up.
- **One at a time** is the p50 of one client at the HTTP floor and the p50 of one connection at the SQL floor, added.
- In accept and create, floors and gateway stand ready and warm and take turns in five short rounds, so that a machine that
  drifts slows all of a round; each ratio is the median of the rounds' ratios. How far the rounds lie apart, as a part of
  their mean, stands beside them as spread. Overload is measured in three rounds.
- Before each scenario comes a checkpoint; before payouts or deposits are accepted for their own sake, and before the
  highest sustained rate is looked for, a warm-up.
- **Closed loop**: each connection sends its next request when it has its answer. **Open loop**: requests are due at a
  fixed rate whatever the gateway does, and a request's time counts from when it was due. Of rising rates, one that does
  not hold is tried once more; both tries stand in the table.
- The load generator is a process of its own. Its CPU stands beside the others'; where it was busy for most of a core, a
  note says so.
- **CPU each** is user and system time of all processes of a kind, by the kernel's count, over the payouts that were
  taken. **WAL each** and **commits each** are differences of the log's position and of the transaction counter.
- **Sustained** and **memory** run everything (gateway, workers, banks, receiver) on the machine. The queues are counted
  every second; growth is the slope of a straight line through the counts, after the first fifth. Sustained takes
  ${HELD_PARTS.join(', ')} of the highest rate that held in short runs, in turn, until one holds for minutes; what did not
  hold stands in the table too.
- **Growth** fills the tables with payouts that have ended, by the rows of such a payout. Each size is measured right after
  a checkpoint that follows the filling, so that at ten million rows nearly each payout id of chance touches index pages
  that PostgreSQL then writes whole into its log.
- After each scenario the books are verified, as \`gateway verify\` does it.`;

export const REPEAT = `## How to repeat it

\`\`\`sh
npm run bench                                          # the usual scenarios, a few minutes
npm run bench -- --only accept --seconds 10            # one scenario, or several with commas
npm run bench -- --full --plots docs/benchmarks        # everything, with this page and its pictures; some hours
npm run bench -- --full --plots docs/benchmarks --resume   # goes on where that was stopped
npm run bench -- --only growth --rows 1000,1000000 --keep /var/tmp/bench   # the database stays, and is used again
\`\`\`

\`--minutes\` sets how long sustained loads last, \`--rate\` spares the search for their rate, and \`--json\` prints one document.
The largest tables of growth take about 40 GB of disk.`;
