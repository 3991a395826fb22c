/**
 * Renders the Markdown of this project's pages: headings, paragraphs, lists, tables, quotes, code and inline marks. Text is
 * escaped. Of HTML it knows comments, `<br>` and `<details>`, and shows the rest as text, so a page can bring no script.
 */

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** The anchor, as GitHub derives it. */
  readonly id: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The words of each heading's section, for the search. */
  readonly sections: readonly { readonly heading: Heading; readonly words: string }[];
}

/** Returns the address of a link or picture on the site. */
type LinkOf = (target: string) => string;

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function anchorOf(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  return plain.replaceAll(' ', '-');
}

const FENCE = /^( *)```(\w*)/;
const ITEM = /^( *)(?:[-*]|(\d+)\.) +/;

export function renderMarkdown(text: string, linkOf: LinkOf): RenderedPage {
  const lines = text.replace(/<!--[\s\S]*?-->\n?/g, '').split('\n');
  const headings: Heading[] = [];
  const html = renderBlocks(lines, linkOf, headings);
  return { html, headings, sections: sectionsOf(lines, headings) };
}

function renderBlocks(lines: readonly string[], linkOf: LinkOf, headings: Heading[]): string {
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const rest = lines.slice(at);
    const [block, used] = BLOCKS.map((read) => read(rest, linkOf, headings)).find((found) => found !== undefined) ?? [
      '',
      1,
    ];
    if (block !== '') blocks.push(block);
    at += used;
  }
  return blocks.join('\n');
}

/** The block at the beginning of the lines, and how many of them it takes; undefined: another kind of block. */
type ReadBlock = (
  lines: readonly string[],
  linkOf: LinkOf,
  headings: Heading[],
) => readonly [html: string, used: number] | undefined;

const readCode: ReadBlock = (lines) => {
  const [, indent = '', language = ''] = FENCE.exec(lines[0] ?? '') ?? [];
  if (!FENCE.test(lines[0] ?? '')) return undefined;
  const length = lines.slice(1).findIndex((line) => line.trim() === '```');
  const body = lines.slice(1, length === -1 ? undefined : length + 1).map((line) => line.slice(indent.length));
  const code = `<code class="language-${language}">${escapeHtml(body.join('\n'))}</code>`;
  return [`<pre tabindex="0">${code}</pre>`, body.length + 2];
};

const readHeading: ReadBlock = ([line = ''], linkOf, headings) => {
  const [, marks, text] = /^(#{1,6}) (.+)$/.exec(line) ?? [];
  if (!marks || !text) return undefined;
  const heading = { level: marks.length, text: plainOf(text), id: anchorOf(text) };
  headings.push(heading);
  return [`<h${heading.level} id="${heading.id}">${renderInline(text, linkOf)}</h${heading.level}>`, 1];
};

const readTable: ReadBlock = (lines, linkOf) => {
  if (!lines[0]?.startsWith('|') || !/^\|[\s:|-]+\|$/.test(lines[1]?.trim() ?? '')) return undefined;
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(0, end === -1 ? undefined : end);
  const [head = [], , ...body] = rows.map(cellsOf);
  const header = head
    .map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${renderInline(cell, linkOf)}</th>`))
    .join('');
  const body_ = body.map(
    (cells) => `<tr>${cells.map((cell) => `<td>${renderInline(cell, linkOf)}</td>`).join('')}</tr>`,
  );
  const table = `<table><thead><tr>${header}</tr></thead><tbody>${body_.join('\n')}</tbody></table>`;
  return [`<div class="table" tabindex="0">${table}</div>`, rows.length];
};

/** A bar inside code, or after a backslash, separates no cells. */
function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isCode = false;
  for (let at = 1; at < row.trimEnd().length; at++) {
    const character = row[at] ?? '';
    if (character === '\\' && row[at + 1] === '|') {
      cell += '|';
      at += 1;
      continue;
    }
    if (character === '`') isCode = !isCode;
    if (character === '|' && !isCode) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return cells;
}

const readQuote: ReadBlock = (lines, linkOf, headings) => {
  if (!lines[0]?.startsWith('>')) return undefined;
  const end = lines.findIndex((line) => !line.startsWith('>'));
  const quoted = lines.slice(0, end === -1 ? undefined : end);
  const inner = quoted.map((line) => line.replace(/^> ?/, ''));
  return [`<blockquote>${renderBlocks(inner, linkOf, headings)}</blockquote>`, quoted.length];
};

const readList: ReadBlock = (lines, linkOf, headings) => {
  const [, , number] = ITEM.exec(lines[0] ?? '') ?? [];
  if (!ITEM.test(lines[0] ?? '')) return undefined;
  const items: string[][] = [];
  let used = 0;
  for (const line of lines) {
    const isItem = ITEM.test(line) && !/^ /.test(line);
    const isBlankInside = line === '' && /^ {2,}\S/.test(lines[used + 1] ?? '');
    const isMore = items.length > 0 && (/^ {2,}\S/.test(line) || isBlankInside || (line !== '' && !startsBlock(line)));
    if (!isItem && !isMore) break;
    if (isItem) items.push([line.replace(ITEM, '')]);
    else items.at(-1)?.push(line.replace(/^ {2,4}/, ''));
    used += 1;
  }
  const tag = number === undefined ? 'ul' : 'ol';
  const texts = items.map((item) => `<li>${renderItem(item, linkOf, headings)}</li>`);
  return [`<${tag}${number && number !== '1' ? ` start="${number}"` : ''}>${texts.join('\n')}</${tag}>`, used];
};

function startsBlock(line: string): boolean {
  return ITEM.test(line) || FENCE.test(line) || /^(?:#|\||>)/.test(line);
}

/** A box of a checklist is a picture of one. */
function renderItem(item: readonly string[], linkOf: LinkOf, headings: Heading[]): string {
  const html = renderBlocks(item, linkOf, headings).replace(/^<p>([\s\S]*?)<\/p>/, '$1');
  return html.replace(/^\[ \] /, '☐ ').replace(/^\[x\] /, '☑ ');
}

const readParagraph: ReadBlock = (lines, linkOf) => {
  if ((lines[0] ?? '').trim() === '') return ['', 1];
  const end = lines.findIndex((line, index) => line.trim() === '' || (index > 0 && startsBlock(line)));
  const own = lines.slice(0, end === -1 ? undefined : end);
  return [`<p>${renderInline(own.join('\n'), linkOf)}</p>`, own.length];
};

const readDetails: ReadBlock = (lines, linkOf, headings) => {
  const [, summary] = /^<details><summary>([^<]*)<\/summary>$/.exec(lines[0] ?? '') ?? [];
  const end = lines.indexOf('</details>');
  if (summary === undefined || end === -1) return undefined;
  const inner = renderBlocks(lines.slice(1, end), linkOf, headings);
  return [`<details><summary>${escapeHtml(summary)}</summary>${inner}</details>`, end + 1];
};

const BLOCKS: readonly ReadBlock[] = [
  readDetails,
  readCode,
  readHeading,
  readTable,
  readQuote,
  readList,
  readParagraph,
];

const INLINE =
  /<br>|(`+)(.+?)\1|!\[([^\]]*)\]\(([^)\s]+)\)|\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|\*(\S(?:.*?\S)?)\*|(https?:\/\/[^\s)<>|]+[^\s)<>|.,;])/gs;

function renderInline(text: string, linkOf: LinkOf): string {
  let html = '';
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, , code, picture, source, label, target, strong, emphasised, address] = match;
    html += escapeHtml(text.slice(last, match.index));
    last = match.index + whole.length;
    if (whole === '<br>') html += whole;
    else if (code !== undefined) html += `<code>${escapeHtml(code.trim())}</code>`;
    else if (source !== undefined)
      html += `<img src="${escapeHtml(linkOf(source))}" alt="${escapeHtml(picture ?? '')}">`;
    else if (target !== undefined)
      html += `<a href="${escapeHtml(linkOf(target))}">${renderInline(label ?? '', linkOf)}</a>`;
    else if (strong !== undefined) html += `<strong>${renderInline(strong, linkOf)}</strong>`;
    else if (emphasised !== undefined) html += `<em>${renderInline(emphasised, linkOf)}</em>`;
    else if (address !== undefined) html += `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
  }
  return html + escapeHtml(text.slice(last));
}

/** The words of a text without its marks. */
function plainOf(text: string): string {
  return text.replace(/!?\[((?:`[^`]*`|[^\]`])*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
}

function sectionsOf(lines: readonly string[], headings: readonly Heading[]): RenderedPage['sections'] {
  const texts: string[][] = [];
  let isCode = false;
  for (const line of lines) {
    if (FENCE.test(line)) isCode = !isCode;
    if (!isCode && /^#{1,6} /.test(line)) texts.push([]);
    else texts.at(-1)?.push(plainOf(line));
  }
  return headings.slice(0, texts.length).map((heading, index) => ({ heading, words: (texts[index] ?? []).join(' ') }));
}
