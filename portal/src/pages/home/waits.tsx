/** The time from payouts to their results: one bar per rail or method, darker for longer times. */
import '../../parts/charts/chart.css';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import { endedWithin, sharesOf } from '../../parts/charts/breakdown.ts';
import { csvOf, saveFile } from '../../parts/charts/csv.ts';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { atMost } from '../../parts/time/duration.ts';
import { useWords } from '../../words/words.ts';

interface Row {
  readonly name: string;
  readonly volumes: readonly Volume[];
}

interface WaitsProps {
  /** What the groups are, such as rails or methods. */
  readonly by: string;
  readonly groups: readonly Row[];
  readonly bucketsMs: readonly number[];
}

export function Waits({ by, groups, bucketsMs }: WaitsProps) {
  const { charts } = useWords();
  const shares = ({ volumes }: Row) => sharesOf(volumes, bucketsMs);
  const total = (row: Row) => shares(row).reduce((sum, { payments }) => sum + payments, 0);
  const inWords = (row: Row) =>
    shares(row)
      .map(
        ({ withinMs, payments }) => `${atMost(withinMs, charts.units)}: ${Math.round((100 * payments) / total(row))} %`,
      )
      .join(' · ');
  const within = (row: Row, part: number) => atMost(endedWithin(shares(row), part), charts.units);
  const columns: readonly Column<Row>[] = [
    { label: by, cell: ({ name }) => name },
    { label: charts.results, cell: total, isEnd: true },
    { label: 'p50', cell: (row) => within(row, 0.5), isEnd: true },
    { label: 'p95', cell: (row) => within(row, 0.95), isEnd: true },
    {
      label: charts.within,
      cell: (row) => (
        <>
          <Bar shares={shares(row)} bucketsMs={bucketsMs} />
          <span className="muted small">{inWords(row)}</span>
        </>
      ),
    },
  ];
  const rows = groups.map((row) => [row.name, String(total(row)), within(row, 0.5), within(row, 0.95), inWords(row)]);
  const head = [by, charts.results, 'p50', 'p95', charts.within];
  const save = () => saveFile('time-to-result.csv', csvOf([head, ...rows]));
  return (
    <>
      <Table label={charts.waits} columns={columns} items={groups} keyOf={({ name }) => name} />
      <button type="button" className="as-link small" onClick={save} aria-label={`CSV: ${charts.waits}`}>
        CSV
      </button>
    </>
  );
}

function Bar({ shares, bucketsMs }: { shares: ReturnType<typeof sharesOf>; bucketsMs: readonly number[] }) {
  return (
    <span className="shares" aria-hidden>
      {shares.map(({ withinMs, payments }) => {
        const place = bucketsMs.indexOf(withinMs);
        const strength = 0.25 + (0.75 * (place < 0 ? bucketsMs.length : place)) / bucketsMs.length;
        return <span key={withinMs} style={{ flexGrow: payments, opacity: strength }} />;
      })}
    </span>
  );
}
