/**
 * Methods on the left, rails on the right, and a line per route: thick for the first rank, thin for later ranks. The table
 * next to it shows the same as text.
 */
import { useElementSize } from '@mantine/hooks';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import type { Route } from '../../../../gateway/contract/endpoints/routes.ts';
import { methodName } from '../../parts/names/method-name.ts';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { railStateOf } from './rail-state.ts';

const words = operatorPages.routes;

const ROW = 34;
const BOX = { height: 26, inset: 10 } as const;
const LEAST_WIDTH = 300;
/** In a narrow picture, the boxes are only as wide as their labels need. */
const boxWidthAt = (width: number) => Math.min(220, Math.max(112, width * 0.32));

interface Line {
  readonly from: string;
  readonly rail: string;
  readonly rank: number;
  /** True if the method uses the rail because it has no routes. */
  readonly isDefault: boolean;
}

/** Returns the lines of all methods. The `default` line stands for every rail that carries a method without routes. */
export function linesOf(rails: readonly Rail[], routes: readonly Route[]): Line[] {
  const methods = [...new Set(rails.flatMap((rail) => rail.methods))].sort((one, other) => one - other);
  const laid = routes.map(({ method, merchantId, rail, rank }) => ({
    from: sourceOf(method, merchantId),
    rail,
    rank,
    isDefault: false,
  }));
  const byDefault = methods
    .filter((method) => !routes.some((route) => route.method === method && route.merchantId === null))
    .flatMap((method) =>
      rails
        .filter((rail) => rail.methods.includes(method))
        .map(({ name }, index) => ({ from: sourceOf(method, null), rail: name, rank: index + 1, isDefault: true })),
    );
  return [...laid, ...byDefault];
}

export function sourceOf(method: number, merchantId: string | null): string {
  return merchantId === null ? methodName(method) : `${methodName(method)} · ${merchantId}`;
}

export function RoutePicture({ rails, routes }: { rails: readonly Rail[]; routes: readonly Route[] }) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(LEAST_WIDTH, measured);
  const lines = linesOf(rails, routes);
  const sources = [...new Set(lines.map(({ from }) => from))].sort((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const targets = [...new Set(lines.map(({ rail }) => rail))].sort();
  const height = Math.max(sources.length, targets.length) * ROW;
  const at = (list: readonly string[], name: string) =>
    ((list.indexOf(name) + 0.5) * height) / Math.max(1, list.length);
  const box = boxWidthAt(width);
  return (
    <div ref={ref}>
      <svg className="routes" width="100%" height={height} viewBox={`0 0 ${width} ${height}`} role="img">
        <title>{words.picture}</title>
        {lines.map(({ from, rail, rank, isDefault }) => {
          const [start, end] = [at(sources, from), at(targets, rail)];
          const middle = width / 2;
          return (
            <path
              key={`${from} ${rail}`}
              d={`M${box} ${start} C${middle} ${start} ${middle} ${end} ${width - box} ${end}`}
              data-rank={Math.min(rank, 3)}
              {...(isDefault ? { 'data-default': true } : {})}
            />
          );
        })}
        {sources.map((name) => (
          <Box key={name} x={0} y={at(sources, name)} width={box} text={name} state={null} />
        ))}
        {targets.map((name) => {
          const rail = rails.find((each) => each.name === name);
          const state = rail ? railStateOf(rail) : 'unattended';
          return <Box key={name} x={width - box} y={at(targets, name)} width={box} text={name} state={state} />;
        })}
      </svg>
    </div>
  );
}

function Box({
  x,
  y,
  width,
  text,
  state,
}: {
  x: number;
  y: number;
  width: number;
  text: string;
  state: string | null;
}) {
  const most = Math.floor((width - 2 * BOX.inset - (state === null ? 0 : 14)) / 7);
  return (
    <g transform={`translate(${x} ${y - BOX.height / 2})`}>
      <rect x={0.5} y={0.5} width={width - 1} height={BOX.height - 1} rx={6} />
      <text x={BOX.inset} y={BOX.height / 2} dominantBaseline="central">
        {text.length > most ? `${text.slice(0, most - 1)}…` : text}
      </text>
      {state === null ? null : (
        <circle cx={width - BOX.inset - 4} cy={BOX.height / 2} r={4} data-state={state}>
          <title>{state}</title>
        </circle>
      )}
    </g>
  );
}
