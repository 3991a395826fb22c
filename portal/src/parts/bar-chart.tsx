/** Amounts by day as bars, with the same figures as a table for readers without a picture. */
import { Text } from '@mantine/core';
import { grouped } from './money.tsx';

export interface Series {
  readonly name: string;
  /** A colour of the theme. */
  readonly color: string;
  readonly amounts: readonly string[];
}

const HEIGHT = 120;
const STEP = 24;

export function BarChart({
  title,
  days,
  series,
}: {
  title: string;
  days: readonly string[];
  series: readonly Series[];
}) {
  const highest = Math.max(1, ...series.flatMap(({ amounts }) => amounts.map(Number)));
  const width = (STEP - 4) / series.length;
  return (
    <figure style={{ margin: 0 }}>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
        aria-hidden
      >
        {series.flatMap(({ name, color, amounts }, place) =>
          amounts.map((amount, index) => {
            const height = (Number(amount) / highest) * (HEIGHT - 4);
            return (
              <rect
                key={`${name} ${days[index]}`}
                x={index * STEP + 2 + place * width}
                y={HEIGHT - Math.max(height, 1)}
                {...{ width, height: Math.max(height, 1) }}
                fill={`var(--mantine-color-${color}-filled)`}
              >
                <title>{`${days[index]}: ${name} ${grouped(amount)}`}</title>
              </rect>
            );
          }),
        )}
      </svg>
      <Text size="xs" className="muted" component="figcaption">
        {days[0]} – {days.at(-1)} · {series.map(({ name }) => name).join(' · ')}
      </Text>
      <details>
        <summary>
          <Text size="xs" component="span">
            {title}
          </Text>
        </summary>
        <table className="list" aria-label={title}>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {series.map(({ name, amounts }) => (
                  <td key={name} data-label={name} data-end>
                    {grouped(amounts[index] ?? '0')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
