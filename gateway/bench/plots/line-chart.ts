/** Draws a line chart as a standalone SVG file that is readable on light and dark pages and by screen readers. */
import type { Series } from '../measure/bench.ts';
import { type Scale, type ScaleKind, scaleOf, tickText } from './scale.ts';

interface Axis {
  readonly label: string;
  readonly kind: ScaleKind;
}

export interface LineChart {
  readonly title: string;
  /** A description of the chart in a sentence or two. */
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** A limit, drawn across the chart with its name. */
  readonly limit?: { readonly value: number; readonly name: string };
}

const WIDTH = 760;
const HEIGHT = 420;
const PLOT = { left: 76, right: 560, top: 52, bottom: 352 };
const LEGEND = { left: 580, top: 66, step: 24 };
/** Each line has a different mark, so that readers do not depend on colours. */
const MARKS = ['circle', 'square', 'triangle', 'diamond'] as const;
const COLOURS = 8;
/** A line with more points has no marks, because they would hide it. */
const MOST_MARKED = 24;

export function drawLineChart(chart: LineChart): string {
  const points = chart.series.flatMap((series) => series.points);
  const limits = chart.limit ? [chart.limit.value] : [];
  const x = scaleOf(
    chart.x.kind,
    points.map(([value]) => value),
    PLOT.left,
    PLOT.right,
  );
  const y = scaleOf(chart.y.kind, [...points.map(([, value]) => value), ...limits], PLOT.bottom, PLOT.top);
  const parts = [
    `<title id="title">${escaped(chart.title)}</title>`,
    `<desc id="description">${escaped(`${chart.description} ${spoken(chart)}`)}</desc>`,
    STYLE,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    `<text class="title" x="${PLOT.left}" y="28">${escaped(chart.title)}</text>`,
    ...xAxis(x, chart.x.label),
    ...yAxis(y, chart.y.label),
    ...limitLine(chart, y),
    ...chart.series.flatMap((series, at) => lineOf(series, at, x, y)),
    ...chart.series.flatMap((series, at) => legendOf(series, at)),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13">`,
    ...parts.map((part) => `  ${part}`),
    '</svg>',
    '',
  ].join('\n');
}

const STYLE = `<style>
    .paper { fill: #ffffff } .title { fill: #1f2328; font-weight: 600; font-size: 15px }
    text { fill: #57606a } .grid { stroke: #d8dee4; stroke-width: 1 } .axis { stroke: #57606a; stroke-width: 1.2 }
    .limit { stroke: #57606a; stroke-width: 1.2; stroke-dasharray: 5 4 } .line { fill: none; stroke-width: 2 }
    .s0 { stroke: #0969da } .s1 { stroke: #bc4c00 } .s2 { stroke: #1a7f37 } .s3 { stroke: #8250df }
    .s4 { stroke: #cf222e } .s5 { stroke: #9a6700 } .s6 { stroke: #1b7c83 } .s7 { stroke: #6e7781 }
    .m0 { fill: #0969da } .m1 { fill: #bc4c00 } .m2 { fill: #1a7f37 } .m3 { fill: #8250df }
    .m4 { fill: #cf222e } .m5 { fill: #9a6700 } .m6 { fill: #1b7c83 } .m7 { fill: #6e7781 }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117 } .title { fill: #e6edf3 } text { fill: #b1bac4 }
      .grid { stroke: #30363d } .axis, .limit { stroke: #9198a1 }
      .s0 { stroke: #58a6ff } .s1 { stroke: #f0883e } .s2 { stroke: #3fb950 } .s3 { stroke: #bc8cff }
      .s4 { stroke: #ff7b72 } .s5 { stroke: #d29922 } .s6 { stroke: #39c5cf } .s7 { stroke: #9198a1 }
      .m0 { fill: #58a6ff } .m1 { fill: #f0883e } .m2 { fill: #3fb950 } .m3 { fill: #bc8cff }
      .m4 { fill: #ff7b72 } .m5 { fill: #d29922 } .m6 { fill: #39c5cf } .m7 { fill: #9198a1 }
    }
  </style>`;

function xAxis(x: Scale, label: string): string[] {
  const ticks = x.ticks.flatMap((tick) => [
    `<path class="grid" d="M${at(x.place(tick))} ${PLOT.top}V${PLOT.bottom}"/>`,
    `<text x="${at(x.place(tick))}" y="${PLOT.bottom + 20}" text-anchor="middle">${tickText(tick)}</text>`,
  ]);
  const middle = (PLOT.left + PLOT.right) / 2;
  return [
    ...ticks,
    `<path class="axis" d="M${PLOT.left} ${PLOT.bottom}H${PLOT.right}"/>`,
    `<text x="${middle}" y="${PLOT.bottom + 46}" text-anchor="middle">${escaped(label)}</text>`,
  ];
}

function yAxis(y: Scale, label: string): string[] {
  const ticks = y.ticks.flatMap((tick) => [
    `<path class="grid" d="M${PLOT.left} ${at(y.place(tick))}H${PLOT.right}"/>`,
    `<text x="${PLOT.left - 10}" y="${at(y.place(tick) + 4)}" text-anchor="end">${tickText(tick)}</text>`,
  ]);
  const middle = (PLOT.top + PLOT.bottom) / 2;
  return [
    ...ticks,
    `<path class="axis" d="M${PLOT.left} ${PLOT.top}V${PLOT.bottom}"/>`,
    `<text transform="translate(20 ${middle}) rotate(-90)" text-anchor="middle">${escaped(label)}</text>`,
  ];
}

function limitLine({ limit }: LineChart, y: Scale): string[] {
  if (!limit) return [];
  const height = y.place(limit.value);
  return [
    `<path class="limit" d="M${PLOT.left} ${at(height)}H${PLOT.right}"/>`,
    `<text x="${PLOT.right + 6}" y="${at(height + 4)}">${escaped(limit.name)}</text>`,
  ];
}

function lineOf({ points }: Series, number: number, x: Scale, y: Scale): string[] {
  const places = points.map(([left, top]) => [x.place(left), y.place(top)] as const);
  const path = places.map(([left, top], index) => `${index === 0 ? 'M' : 'L'}${at(left)} ${at(top)}`).join('');
  const marks = points.length <= MOST_MARKED ? places.map(([left, top]) => markAt(number, left, top)) : [];
  return [`<path class="line s${number % COLOURS}" d="${path}"/>`, ...marks];
}

function legendOf({ name }: Series, number: number): string[] {
  const top = LEGEND.top + number * LEGEND.step;
  return [
    `<path class="line s${number % COLOURS}" d="M${LEGEND.left} ${top}h22"/>`,
    markAt(number, LEGEND.left + 11, top),
    `<text x="${LEGEND.left + 30}" y="${top + 4}">${escaped(name)}</text>`,
  ];
}

const SHAPES: Readonly<Record<(typeof MARKS)[number], string>> = {
  circle: 'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  square: 'm-3.5 -3.5h7v7h-7z',
  triangle: 'm0 -4.5l4.5 8h-9z',
  diamond: 'm0 -5l4.5 5l-4.5 5l-4.5 -5z',
};

function markAt(number: number, left: number, top: number): string {
  const shape = SHAPES[MARKS[number % MARKS.length] ?? 'circle'];
  return `<path class="m${number % COLOURS}" d="M${at(left)} ${at(top)}${shape}"/>`;
}

/** Describes the first and last point of each line for screen readers. */
function spoken({ series, x, y }: LineChart): string {
  const ends = series.map(({ name, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return first && last
      ? `${name}: from ${tickText(first[1])} at ${tickText(first[0])} to ${tickText(last[1])} at ${tickText(last[0])}`
      : name;
  });
  return `Across: ${x.label}. Upwards: ${y.label}. ${ends.join('; ')}.`;
}

function at(place: number): string {
  return String(Math.round(place * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
