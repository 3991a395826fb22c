/**
 * The picture of a state machine: one lane per position. An arrow joins two positions and lists the events of one reporter.
 * Below each lane are the events that do not change the position.
 */
import type { StateMachine } from './state-machines.ts';

const STYLE = `
    .lane { stroke: #d0d7de }
    .open { fill: #ddf4ff; stroke: #0969da }
    .ended { fill: #ffffff; stroke: #57606a }
    .name { fill: #1f2328; font-weight: 600; font-size: 13px }
    .event { fill: #1f2328; stroke: #ffffff; stroke-width: 4px; paint-order: stroke; stroke-linejoin: round }
    .stays { fill: #57606a }
    .line { stroke: #57606a; stroke-width: 1.5; marker-end: url(#tip) }
    .tip, .foot { fill: #57606a }
    @media (prefers-color-scheme: dark) {
      .lane { stroke: #30363d }
      .open { fill: #0c2d6b; stroke: #58a6ff }
      .ended { fill: #161b22; stroke: #8b949e }
      .name { fill: #e6edf3 }
      .event { fill: #e6edf3; stroke: #0d1117 }
      .stays { fill: #9198a1 }
      .line { stroke: #9198a1 }
      .tip, .foot { fill: #9198a1 }
    }`;

const MARGIN = 16;
const LANE_WIDTH = 138;
const BOX_WIDTH = 122;
const BOX_HEIGHT = 30;
const ARROW_HEIGHT = 34;
const LINE_HEIGHT = 15;

/** Draws a state machine. The same machine always gives the same picture. */
export function statePicture(machine: StateMachine): string {
  const { title, description, positions } = machine;
  const arrows = arrowsOf(machine);
  const bottom = MARGIN + BOX_HEIGHT + 14 + arrows.length * ARROW_HEIGHT;
  const stays = positions.map(({ name }) =>
    eventsBetween(machine, name, name).flatMap((text) => text.split(/, |(?<=:) /)),
  );
  const height = bottom + MARGIN + (2 + Math.max(...stays.map(({ length }) => length))) * LINE_HEIGHT;
  const width = 2 * MARGIN + positions.length * LANE_WIDTH;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="11px">
  <title id="title">${title}</title>
  <desc id="description">${description} ${arrows.map(({ from, to, events }) => `From ${from} to ${to}: ${events}.`).join(' ')}</desc>
  <style>${STYLE}
  </style>
  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>
${positions.map(({ name, isOpen }, index) => laneShape(name, isOpen, laneAt(index), bottom)).join('\n')}
${arrows.map((arrow, row) => arrowShape(machine, arrow, MARGIN + BOX_HEIGHT + 40 + row * ARROW_HEIGHT)).join('\n')}
${stays.map((events, index) => staysShape(events, laneAt(index), bottom + 18)).join('\n')}
</svg>
`;
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly events: string;
}

function arrowsOf(machine: StateMachine): Arrow[] {
  const names = machine.positions.map(({ name }) => name);
  return names.flatMap((from) =>
    names
      .filter((to) => to !== from)
      .flatMap((to) => eventsBetween(machine, from, to).map((events) => ({ from, to, events }))),
  );
}

/** Returns one text per reporter. */
function eventsBetween({ transitions }: StateMachine, from: string, to: string): string[] {
  const between = transitions.filter((each) => each.from === from && each.to === to);
  return [...new Set(between.map(({ reporter }) => reporter))].map((reporter) => {
    const events = between.filter((each) => each.reporter === reporter).map(({ event }) => words(event));
    return `${reporter === undefined ? '' : `${reporter}: `}${events.join(', ')}`;
  });
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

function laneAt(index: number): number {
  return MARGIN + index * LANE_WIDTH + LANE_WIDTH / 2;
}

function laneShape(name: string, isOpen: boolean, x: number, bottom: number): string {
  return `  <path class="lane" d="M${x} ${MARGIN + BOX_HEIGHT}V${bottom}"/><rect class="${isOpen ? 'open' : 'ended'}" x="${x - BOX_WIDTH / 2}" y="${MARGIN}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="6"/><text class="name" x="${x}" y="${MARGIN + 20}" text-anchor="middle">${words(name)}</text>`;
}

/** The label starts at the left lane and may cross others, on a stroke in the background's colour. */
function arrowShape({ positions }: StateMachine, { from, to, events }: Arrow, y: number): string {
  const [start = 0, end = 0] = [from, to].map((wanted) => laneAt(positions.findIndex(({ name }) => name === wanted)));
  const direction = start < end ? 1 : -1;
  const label = direction > 0 ? `x="${start + 8}"` : `x="${start - 8}" text-anchor="end"`;
  return `  <circle class="foot" cx="${start}" cy="${y}" r="3"/><path class="line" d="M${start} ${y}H${end - direction * 3}"/><text class="event" ${label} y="${y - 6}">${events}</text>`;
}

function staysShape(events: readonly string[], x: number, y: number): string {
  const lines = events.length === 0 ? ['–'] : events;
  return ['stays after', ...lines]
    .map(
      (text, row) => `  <text class="stays" x="${x}" y="${y + row * LINE_HEIGHT}" text-anchor="middle">${text}</text>`,
    )
    .join('\n');
}
