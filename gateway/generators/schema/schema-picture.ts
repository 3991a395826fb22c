/** The picture of the schema: tables in panels by noun, their keys, and lines to the tables that they reference. */
import { type Box, type Line, layOut, type Panel, PICTURE_MARGIN, ROW_HEIGHT } from './picture-layout.ts';
import type { Schema } from './read-schema.ts';
import { findReferences } from './table-references.ts';

const STYLE = `
    .panel { fill: #f6f8fa; stroke: #d0d7de }
    .box { fill: #ffffff; stroke: #57606a }
    .noun { fill: #0969da; font-weight: 600; font-size: 14px }
    .name { fill: #1f2328; font-weight: 600; font-size: 12px }
    .key { fill: #1f2328 }
    .column, .more { fill: #57606a }
    .dot { fill: #1f2328 } .ring { fill: none; stroke: #57606a }
    .more { font-style: italic }
    .line { fill: none; stroke: #57606a; marker-end: url(#tip) }
    .named { stroke-dasharray: 4 3 }
    .tip { fill: #57606a }
    @media (prefers-color-scheme: dark) {
      .panel { fill: #0d1117; stroke: #30363d }
      .box { fill: #161b22; stroke: #8b949e }
      .noun { fill: #58a6ff }
      .name, .key { fill: #e6edf3 }
      .column, .more { fill: #9198a1 }
      .dot { fill: #e6edf3 } .ring { stroke: #9198a1 }
      .line { stroke: #9198a1 }
      .tip { fill: #9198a1 }
    }`;

const LEGEND_HEIGHT = 34;

/** `nouns` maps each table to its noun. Deterministic: the same schema gives the same picture. */
export function schemaPicture(schema: Schema, nouns: ReadonlyMap<string, string>): string {
  const references = findReferences(schema);
  const { panels, boxes, lines, width, height } = layOut(schema, references, nouns);
  const whole = height + LEGEND_HEIGHT;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${whole}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="11px">
  <title id="title">The tables of the gateway</title>
  <desc id="description">${boxes.length} tables in ${panels.length} groups, with their primary keys and the tables that they point to.</desc>
  <style>${STYLE}
  </style>
  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>
${panels.map(panelShape).join('\n')}
${lines.map(lineShape).join('\n')}
${boxes.map(boxShape).join('\n')}
${legend(height)}
</svg>
`;
}

function panelShape({ x, y, width, height, noun }: Panel): string {
  return `  <rect class="panel" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/><text class="noun" x="${x + 12}" y="${y + 20}">${noun}</text>`;
}

function lineShape({ path, isEnforced }: Line): string {
  return `  <path class="line${isEnforced ? '' : ' named'}" d="${path}"/>`;
}

function boxShape({ x, y, width, height, table, rows, more }: Box): string {
  const at = (row: number) => y + 18 + row * ROW_HEIGHT;
  const texts = rows.map(
    ({ name, isKey }, index) =>
      `${dot(x + 14, at(index + 1), isKey)}<text class="${isKey ? 'key' : 'column'}" x="${x + 22}" y="${at(index + 1)}">${name}</text>`,
  );
  if (more > 0)
    texts.push(
      `<text class="more" x="${x + 10}" y="${at(rows.length + 1)}">${more} more column${more > 1 ? 's' : ''}</text>`,
    );
  return `  <g><title>${escapeText(table.comment ?? table.name)}</title><rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/><text class="name" x="${x + 10}" y="${at(0) - 1}">${table.name}</text>${texts.join('')}</g>`;
}

/** Draws the dot before a text whose baseline is at `y`. */
function dot(x: number, y: number, isKey: boolean): string {
  return `<circle class="${isKey ? 'dot' : 'ring'}" cx="${x}" cy="${y - 4}" r="2.5"/>`;
}

function legend(y: number): string {
  const text = (x: number, words: string) => `<text class="column" x="${x}" y="${y + 16}">${words}</text>`;
  const line = (x: number, named: string) => `<path class="line${named}" d="M${x} ${y + 12}h34"/>`;
  const x = PICTURE_MARGIN;
  return `  ${dot(x + 4, y + 16, true)}${text(x + 12, 'primary key')}${dot(x + 94, y + 16, false)}${text(x + 102, 'points to another table')}${line(x + 240, '')}${text(x + 282, 'foreign key')}${line(x + 370, ' named')}${text(x + 412, 'has the columns of the other table’s key, without a constraint')}`;
}

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
