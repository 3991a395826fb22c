import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { drawLineChart, type LineChart } from './line-chart.ts';
import { linearTicks, scaleOf, tickText } from './scale.ts';

describe('the axis of a chart', () => {
  test('a linear axis has two to seven ticks in round steps from zero to at least the largest value', () => {
    assert.deepEqual(linearTicks(9), [0, 2, 4, 6, 8, 10]);
    assert.deepEqual(linearTicks(0.3), [0, 0.1, 0.2, 0.3]);
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (greatest) => {
        const ticks = linearTicks(greatest);
        assert.ok((ticks.at(-1) ?? 0) >= greatest * (1 - 1e-9) && ticks.length >= 2 && ticks.length <= 7);
      }),
    );
  });

  test('a logarithmic axis places equal ratios at equal distances and contains all values', () => {
    const { place, ticks } = scaleOf('log10', [1_000, 10_000_000], 0, 400);
    assert.deepEqual(ticks.map(place).map(Math.round), [0, 100, 200, 300, 400]);
    assert.equal(scaleOf('log2', [1, 256], 0, 1).ticks.at(-1), 256);
  });

  test('tickText shortens large numbers', () => {
    assert.deepEqual([0.5, 1_500, 10_000_000].map(tickText), ['0.5', '1,500', '10 M']);
  });
});

const CHART: LineChart = {
  title: 'Rates < limits & more',
  description: 'Two lines.',
  x: { label: 'at once', kind: 'log2' },
  y: { label: 'a second', kind: 'linear' },
  series: [
    {
      name: 'gateway',
      points: [
        [1, 100],
        [2, 190],
        [4, 300],
      ],
    },
    {
      name: 'floor',
      points: [
        [1, 400],
        [2, 500],
        [4, 520],
      ],
    },
  ],
  limit: { value: 450, name: 'limit' },
};

describe('a line chart', () => {
  const svg = drawLineChart(CHART);

  test('a line chart stays within its bounds and escapes its labels', () => {
    const placesIn = (pattern: RegExp) => [...svg.matchAll(pattern)].map(([, place]) => Number(place));
    const across = placesIn(/(?: x="|[MLH])(-?[\d.]+)/g);
    const down = placesIn(/(?: y="|[ML]-?[\d.]+ |V)(-?[\d.]+)/g);
    assert.ok(across.length > 20 && down.length > 20);
    assert.ok(Math.min(...across) >= 0 && Math.max(...across) <= 760, `across: ${across}`);
    assert.ok(Math.min(...down) >= 0 && Math.max(...down) <= 420, `down: ${down}`);
    assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
    assert.match(svg, /Rates &lt; limits &amp; more/);
  });

  test('a line chart has a title and describes its lines in words', () => {
    assert.match(svg, /role="img" aria-labelledby="title description"/);
    assert.match(
      svg,
      /<desc id="description">Two lines\..*gateway: from 100 at 1 to 300 at 4; floor: from 400 at 1 to 520 at 4\./,
    );
  });

  test('a line chart has a legend and a different mark for each line', () => {
    for (const { name } of CHART.series) assert.match(svg, new RegExp(`<text[^>]*>${name}</text>`));
    const marks = [...svg.matchAll(/class="m(\d)" d="M[\d.]+ [\d.]+([^"]+)"/g)];
    const shapesOf = (line: string) => [...new Set(marks.filter(([, of]) => of === line).map(([, , shape]) => shape))];
    const [first, second] = [shapesOf('0'), shapesOf('1')];
    assert.deepEqual([first.length, second.length], [1, 1]);
    assert.notDeepEqual(first, second);
    assert.match(svg, /prefers-color-scheme: dark/);
  });
});
