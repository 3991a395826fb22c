/** The layout of the schema's picture. Lines run between the boxes, with one lane per target. */
import type { Schema, SchemaTable } from './read-schema.ts';
import { primaryKeyOf, type TableReference } from './table-references.ts';

export interface Panel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly noun: string;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The index of the panel's column from the left. */
  readonly column: number;
  readonly table: SchemaTable;
  /** The visible columns: the primary key, and references to other tables. */
  readonly rows: readonly { readonly name: string; readonly isKey: boolean }[];
  /** The number of hidden columns. */
  readonly more: number;
}

export interface Line {
  readonly path: string;
  readonly isEnforced: boolean;
}

interface PictureLayout {
  readonly panels: readonly Panel[];
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

/**
 * Panels from left to right and top to bottom, so that no line crosses a column of boxes. Nouns that are not listed come last.
 */
const COLUMNS: readonly (readonly string[])[] = [
  ['merchants', 'ledger', 'callbacks', 'vault'],
  ['payouts', 'routing'],
  ['payments', 'reconciliation'],
  ['deposits', 'recovery'],
];

export const PICTURE_MARGIN = 16;
export const ROW_HEIGHT = 15;
const BOX_WIDTH = 176;
const BOX_GAP = 12;
const HEAD_HEIGHT = 24;
const BOX_FOOT = 6;
const PANEL_HEAD = 32;
const PANEL_FOOT = 12;
const PANEL_GAP = 14;
/** The space to the left of the boxes, for lines between tables of one column. */
const LANES_WIDTH = 42;
const PANEL_RIGHT = 12;
const GUTTER = 44;
const LANE = 8;

const PANEL_WIDTH = LANES_WIDTH + BOX_WIDTH + PANEL_RIGHT;

export function layOut(
  { tables }: Schema,
  references: readonly TableReference[],
  nouns: ReadonlyMap<string, string>,
): PictureLayout {
  const panels: Panel[] = [];
  const boxes: Box[] = [];
  let height = 0;
  for (const [column, names] of columnsOf(new Set(nouns.values())).entries()) {
    const x = PICTURE_MARGIN + column * (PANEL_WIDTH + GUTTER);
    let y = PICTURE_MARGIN;
    for (const noun of names) {
      const top = y;
      y += PANEL_HEAD;
      for (const table of tables.filter(({ name }) => nouns.get(name) === noun)) {
        const box = boxOf(table, references, { x: x + LANES_WIDTH, y, column });
        boxes.push(box);
        y += box.height + BOX_GAP;
      }
      y += PANEL_FOOT - BOX_GAP;
      panels.push({ x, y: top, width: PANEL_WIDTH, height: y - top, noun });
      y += PANEL_GAP;
    }
    height = Math.max(height, y);
  }
  const width = 2 * PICTURE_MARGIN + COLUMNS.length * (PANEL_WIDTH + GUTTER) - GUTTER;
  return { panels, boxes, lines: linesOf(boxes, references), width, height };
}

function columnsOf(present: ReadonlySet<string>): string[][] {
  const known = COLUMNS.flat();
  const late = [...present].filter((noun) => !known.includes(noun));
  return COLUMNS.map((names, at) => [
    ...names.filter((noun) => present.has(noun)),
    ...(at === COLUMNS.length - 1 ? late : []),
  ]);
}

function boxOf(table: SchemaTable, references: readonly TableReference[], place: Pick<Box, 'x' | 'y' | 'column'>): Box {
  const key = primaryKeyOf(table);
  const pointing = references.filter(({ from }) => from === table.name).flatMap(({ columns }) => columns);
  const rows = [...new Set([...key, ...pointing])].map((name) => ({ name, isKey: key.includes(name) }));
  const more = table.columns.length - rows.length;
  const height = HEAD_HEIGHT + (rows.length + (more > 0 ? 1 : 0)) * ROW_HEIGHT + BOX_FOOT;
  return { ...place, width: BOX_WIDTH, height, table, rows, more };
}

function linesOf(boxes: readonly Box[], references: readonly TableReference[]): Line[] {
  const lanes = new Map<string, number>();
  /** Returns the number of the target's lane in that space, in order of first use. */
  const laneOf = (space: string, target: string) => {
    const key = `${space} ${target}`;
    if (!lanes.has(key)) lanes.set(key, [...lanes.keys()].filter((one) => one.startsWith(`${space} `)).length);
    return lanes.get(key) ?? 0;
  };
  const boxOfTable = new Map(boxes.map((box) => [box.table.name, box]));
  return references.flatMap((reference) => {
    const from = boxOfTable.get(reference.from);
    const to = boxOfTable.get(reference.to);
    return from && to ? [{ path: pathOf(from, to, reference, laneOf), isEnforced: reference.isEnforced }] : [];
  });
}

function pathOf(from: Box, to: Box, { columns }: TableReference, laneOf: (space: string, target: string) => number) {
  const row = from.rows.findIndex(({ name }) => name === columns.at(-1));
  const startY = from.y + HEAD_HEIGHT + row * ROW_HEIGHT + ROW_HEIGHT / 2 - 3;
  const endY = to.y + HEAD_HEIGHT / 2;
  if (from.column === to.column) {
    const lane = from.x - 14 - laneOf(`inside-${from.column}`, to.table.name) * LANE;
    return `M${from.x} ${startY}H${lane}V${endY}H${to.x}`;
  }
  const isLeftward = to.column < from.column;
  const startX = isLeftward ? from.x : from.x + from.width;
  const endX = isLeftward ? to.x + to.width : to.x;
  const gutter = isLeftward ? to.x + BOX_WIDTH + PANEL_RIGHT + LANE : to.x - LANES_WIDTH - GUTTER + LANE;
  const lane = gutter + laneOf(`gutter-${gutter}`, to.table.name) * LANE;
  return `M${startX} ${startY}H${lane}V${endY}H${endX}`;
}
