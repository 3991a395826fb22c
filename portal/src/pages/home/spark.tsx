/** A sparkline of recent days below a number. The page’s chart shows the same values with dates. */
import '../../parts/charts/chart.css';

export function Spark({ values }: { values: readonly (number | null)[] }) {
  // The last bucket has no upper bound, so the line cannot show its waits.
  const given = values.map((value) => (value === null || !Number.isFinite(value) ? 0 : value));
  const highest = Math.max(...given, 0);
  if (given.length < 2 || highest === 0) return <div className="spark" />;
  const path = given
    .map(
      (value, index) =>
        `${index === 0 ? 'M' : 'L'}${(index / (given.length - 1)) * 100},${30 - (value / highest) * 28}`,
    )
    .join('');
  return (
    <svg className="spark" viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden>
      <path className="area" d={`${path}L100,30L0,30Z`} />
      <path d={path} />
    </svg>
  );
}
