/** A chart over days or hours, with the same figures as a table and a file. */
import './chart.css';
import { useElementSize } from '@mantine/hooks';
import { useWords } from '../../words/words.ts';
import { useShortDays } from '../time/moment.tsx';
import { csvOf, saveFile } from './csv.ts';
import { labelled, short, ticksOf } from './scale.ts';

export interface Series {
  readonly name: string;
  /** The values, one for each label. Null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** The values as complete texts for the table. */
  readonly texts: readonly string[];
}

interface ChartProps {
  /** The accessible name of the table. */
  readonly title: string;
  /** The file name without its extension. */
  readonly file: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Further columns of the table and the file, which the plot omits. */
  readonly notes?: readonly Pick<Series, 'name' | 'texts'>[];
  readonly kind?: 'area' | 'line' | 'bars';
  /** The end of the axis. Defaults to a round number above the values. */
  readonly highest?: number;
  readonly unit?: string;
}

const HEIGHT = 200;
/** The width until the page has measured the chart. */
const UNMEASURED = 600;
const [LEAST_LEFT, RIGHT, TOP, BOTTOM] = [44, 10, 8, 22];
/** The average width of a character in a label, in pixels. */
const CHARACTER = 6.5;
/** The space between two labels of the time axis. */
const LABEL_GAP = 20;

export function Chart(props: ChartProps) {
  const { ref, width } = useElementSize();
  return (
    <figure className="chart">
      <div ref={ref} className="plot">
        <Plot {...props} width={width || UNMEASURED} />
      </div>
      <Legend {...props} />
    </figure>
  );
}

function Plot({ labels, series, kind = 'area', highest, unit = '', width }: ChartProps & { readonly width: number }) {
  const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const ticks = ticksOf(highest ?? most);
  const top = ticks.at(-1) ?? 1;
  const heights = ticks.map((tick) => ({ tick, text: short(tick) + unit }));
  const left = Math.max(LEAST_LEFT, 12 + CHARACTER * Math.max(...heights.map(({ text }) => text.length)));
  const step = (width - left - RIGHT) / Math.max(1, labels.length);
  const x = (index: number) => left + (index + 0.5) * step;
  const times = labels.map(useShortDays());
  const labelWidth = CHARACTER * Math.max(0, ...times.map(({ length }) => length));
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  return (
    // Until it is redrawn for a new width, it is stretched, so that it never hides its last days.
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" width="100%" height={HEIGHT} aria-hidden>
      {heights.map(({ tick, text }) => (
        <g key={tick}>
          <line x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={left - 8} y={y(tick) + 4} textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {labelled(labels.length, Math.floor((width - left) / (labelWidth + LABEL_GAP))).map((index) => (
        <text key={index} x={Math.min(x(index), width - labelWidth / 2)} y={HEIGHT - 6} textAnchor="middle">
          {times[index]}
        </text>
      ))}
      {series.map((each, place) =>
        kind === 'bars' ? (
          <Bars key={each.name} series={each} {...{ place, count: series.length, step, x, y }} />
        ) : (
          <Line key={each.name} series={each} hasArea={kind === 'area'} {...{ place, x, y }} />
        ),
      )}
      {labels.map((label, index) => (
        <rect key={label} className="hover" x={left + index * step} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM}>
          <title>{[label, ...series.map(({ name, texts }) => `${name}: ${texts[index] ?? ''}`)].join('\n')}</title>
        </rect>
      ))}
    </svg>
  );
}

interface Drawn {
  readonly series: Series;
  readonly place: number;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

function Line({ series: { values }, hasArea, place, x, y }: Drawn & { readonly hasArea: boolean }) {
  const points = values.flatMap((value, index) => (value === null ? [] : [[x(index), y(value)] as const]));
  const path = points.map(([left, top], index) => `${index === 0 ? 'M' : 'L'}${left},${top}`).join('');
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  return (
    <g data-series={place}>
      {hasArea ? <path className="area" d={`${path}L${last[0]},${y(0)}L${first[0]},${y(0)}Z`} /> : null}
      <path className="line" d={path} />
      {points.length < 3 ? points.map(([left, top]) => <circle key={left} cx={left} cy={top} r={3} />) : null}
    </g>
  );
}

function Bars({
  series: { values },
  count,
  step,
  place,
  x,
  y,
}: Drawn & { readonly count: number; readonly step: number }) {
  const width = Math.max(1, (step * 0.8) / count);
  return (
    <g data-series={place}>
      {values.map((value, index) =>
        value === null || value === 0 ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a place on the axis is what a bar is
            key={index}
            className="bar"
            x={x(index) - step * 0.4 + place * width}
            y={y(value)}
            {...{ width, height: y(0) - y(value) }}
          />
        ),
      )}
    </g>
  );
}

function Legend({ title, file, labels, series, notes = [] }: ChartProps) {
  const { charts } = useWords();
  const columns = [...series, ...notes];
  const rows = labels.map((label, index) => [label, ...columns.map(({ texts }) => texts[index] ?? '')]);
  const save = () => saveFile(`${file}.csv`, csvOf([['', ...columns.map(({ name }) => name)], ...rows]));
  return (
    <figcaption>
      <div className="row">
        {series.map(({ name }, place) => (
          <span key={name} className="tiny key">
            <i data-series={place} /> {name}
          </span>
        ))}
        <button type="button" className="as-link small" onClick={save} aria-label={`CSV: ${title}`}>
          CSV
        </button>
      </div>
      <details>
        <summary>
          <span className="tiny">{charts.asTable}</span>
        </summary>
        <table className="list" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{charts.time}</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" data-end>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, ...texts]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {texts.map((text, index) => (
                  <td key={columns[index]?.name} data-label={columns[index]?.name} data-end>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figcaption>
  );
}
