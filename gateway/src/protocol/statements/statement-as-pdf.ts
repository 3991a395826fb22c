/** A statement as PDF: A4, a summary and the lines in a table, page by page. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Glyph, default as PDFDocument } from 'pdfkit';
import type { Statement } from '../../domain/statements/compose-statement.ts';
import { type HeadView, viewHead, viewLine } from './statement-content.ts';

const PAGE = { left: 48, right: 547, top: 48, bottom: 780, foot: 800 };
const ROW = 15;
const INK = { text: '#1c2526', quiet: '#6b7778', rule: '#d5dcdc', accent: '#1f7a71' };

/** The left edge and the width of each column of the table. Amounts are right-aligned. */
const COLUMNS = {
  at: [48, 88],
  description: [140, 118],
  payment: [262, 121],
  amount: [387, 78],
  balance: [469, 78],
} as const;
type Column = keyof typeof COLUMNS;
type Font = 'plain' | 'bold';

export async function* writePdf({ head, lines }: Statement): AsyncIterable<Buffer> {
  const view = viewHead(head);
  // Imported at the first PDF, because other processes do not need it.
  const { default: Document } = await import('pdfkit');
  const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const document = new Document({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    // The cache would keep each id as a separate word and fill the memory.
    fontLayoutCache: false,
    // The file contains no creation time, so that the same statement has the same bytes.
    info: { Title: titleOf(view), Producer: 'gateway', Creator: 'gateway', CreationDate: new Date(head.until) },
  });
  document
    .registerFont('plain', join(fonts, 'DejaVuSans.ttf'))
    .registerFont('bold', join(fonts, 'DejaVuSans-Bold.ttf'));
  for (const font of ['plain', 'bold']) setInPlainGlyphs(document.font(font)._font.font);
  const sheet = new Sheet(document, view);
  sheet.summary();
  sheet.row({ at: dateText(view.from), description: 'Opening balance', balance: grouped(view.opening.total) }, true);
  for await (const each of lines()) {
    const { at, description, amount, balance, payoutId, orderId, reference } = viewLine(head.currency, each);
    const payment = payoutId ?? orderId ?? reference;
    sheet.row({ at: dateText(at), description, payment, amount: grouped(amount), balance: grouped(balance) }, false);
    for (let piece = read(document); piece; piece = read(document)) yield piece;
  }
  sheet.row({ at: dateText(view.until), description: 'Closing balance', balance: grouped(view.closing.total) }, true);
  document.end();
  for await (const piece of document) yield piece as Buffer;
}

/**
 * Sets one glyph per character, without kerning and ligatures. These took half of the time of a long statement, and a table of
 * ids and amounts needs neither.
 */
function setInPlainGlyphs(font: PDFDocument['_font']['font']): void {
  const known = new Map<string, Glyph>();
  const glyphOf = (character: string): Glyph => {
    const glyph = known.get(character) ?? font.glyphForCodePoint(character.codePointAt(0) ?? 0);
    known.set(character, glyph);
    return glyph;
  };
  font.layout = (text) => {
    const glyphs = Array.from(text, glyphOf);
    const positions = glyphs.map(({ advanceWidth }) => ({
      xAdvance: advanceWidth,
      yAdvance: 0,
      xOffset: 0,
      yOffset: 0,
    }));
    return {
      glyphs,
      positions,
      // pdfkit scales the positions before it reads this.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
}

const read = (document: PDFDocument) => document.read() as Buffer | null;
const titleOf = ({ merchantId, currency }: HeadView) => `Statement of ${merchantId}, ${currency}`;
const dateText = (time: string) => time.slice(0, 16).replace('T', ' ');

/** Inserts a thin space between thousands, and uses a minus sign as wide as a digit. */
function grouped(amount: string): string {
  return amount.replace(/\B(?=(\d{3})+(?!\d)(?=\.|$))|(?<=^-?\d+)\B(?=(\d{3})+\.)/g, '\u2009').replace('-', '−');
}

/** Writes rows, and begins a page when one is full. */
class Sheet {
  private y: number = PAGE.bottom;
  private page = 0;
  private readonly pages: number;
  private readonly widths = { plain: new Map<string, number>(), bold: new Map<string, number>() };
  private readonly document: PDFDocument;
  private readonly view: HeadView;

  constructor(document: PDFDocument, view: HeadView) {
    this.document = document;
    this.view = view;
    const onFirst = rowsBelow(summaryEnd(view) + 2 * ROW);
    const rest = Math.max(0, view.lineCount + 2 - onFirst);
    this.pages = 1 + Math.ceil(rest / rowsBelow(PAGE.top + 2 * ROW));
  }

  summary(): void {
    this.newPage();
    const { document, view } = this;
    document.font('bold').fontSize(18).fillColor(INK.accent).text('Statement', PAGE.left, PAGE.top);
    document.font('plain').fontSize(9).fillColor(INK.quiet);
    document.text(`${dateText(view.from)} until ${dateText(view.until)} UTC`, PAGE.left, PAGE.top + 28);
    document.font('bold').fontSize(11).fillColor(INK.text);
    document.text(`${view.merchantId}  ·  ${view.currency}`, 300, PAGE.top + 4, { width: 247, align: 'right' });
    if (!view.isFinal) {
      document.font('plain').fontSize(9).fillColor('#a15c00');
      document.text('Provisional: the period is not closed', 300, PAGE.top + 28, { width: 247, align: 'right' });
    }
    let y = SUMMARY_TOP;
    const entry = (name: string, count: string, amount: string, isBold: boolean) => {
      document
        .font(isBold ? 'bold' : 'plain')
        .fontSize(9)
        .fillColor(INK.text)
        .text(name, PAGE.left, y);
      document.font('plain').fillColor(INK.quiet).text(count, 300, y, { width: 80, align: 'right' });
      document
        .font(isBold ? 'bold' : 'plain')
        .fillColor(INK.text)
        .text(grouped(amount), 420, y, { width: 127, align: 'right' });
      y += ROW;
    };
    entry('Opening balance', '', view.opening.total, true);
    for (const { description, lines, amount } of view.totals) entry(description, String(lines), amount, false);
    this.rule(y - 3);
    entry('Closing balance', '', view.closing.total, true);
    const { available, reserved, owed } = view.closing;
    document.font('plain').fontSize(8).fillColor(INK.quiet);
    const parts = `available ${grouped(available)}   reserved ${grouped(reserved)}   owed ${grouped(owed)}`;
    document.text(parts, PAGE.left, y, { width: 499, align: 'right' });
    this.y = summaryEnd(view);
    this.tableHead();
  }

  row(cells: Readonly<Partial<Record<Column, string>>>, isBold: boolean): void {
    if (this.y + ROW > PAGE.bottom) {
      this.newPage();
      this.y = PAGE.top;
      this.tableHead();
    }
    this.cells(cells, isBold ? 'bold' : 'plain', INK.text);
    this.rule(this.y - 4);
  }

  private cells(cells: Readonly<Partial<Record<Column, string>>>, font: Font, color: string): void {
    this.document.font(font).fontSize(8);
    const widthOf = (character: string) => this.widthOf(font, character);
    for (const [column, [x, width]] of Object.entries(COLUMNS) as [Column, readonly [number, number]][]) {
      const text = cells[column] ?? '';
      const isAmount = column === 'amount' || column === 'balance';
      const left = isAmount ? x + width - sum(Array.from(text, widthOf)) : x;
      this.document.fillColor(column === 'at' || column === 'payment' ? INK.quiet : color);
      // Without a width, the library does not measure each word again.
      this.document.text(isAmount ? text : fitting(text, width - 6, widthOf), left, this.y, { lineBreak: false });
    }
    this.y += ROW;
  }

  /**
   * Returns the width of a character in the table's font size. The width of a text is the sum of its characters, because there
   * is no kerning.
   */
  private widthOf(font: Font, character: string): number {
    const width = this.widths[font].get(character) ?? this.document.widthOfString(character);
    this.widths[font].set(character, width);
    return width;
  }

  private tableHead(): void {
    const { currency } = this.view;
    const titles = {
      at: 'Time (UTC)',
      description: 'Description',
      payment: 'Payment',
      amount: 'Amount',
      balance: 'Balance',
    };
    this.cells({ ...titles, amount: `Amount ${currency}` }, 'bold', INK.quiet);
    this.rule(this.y + 2);
    this.y += ROW;
  }

  private newPage(): void {
    this.page += 1;
    this.document.addPage();
    this.document.font('plain').fontSize(7.5).fillColor(INK.quiet);
    this.document.text(titleOf(this.view), PAGE.left, PAGE.foot, { lineBreak: false });
    this.document.text(`Page ${this.page} of ${this.pages}`, 347, PAGE.foot, {
      width: 200,
      align: 'right',
      lineBreak: false,
    });
  }

  private rule(y: number): void {
    this.document.lineWidth(0.5).strokeColor(INK.rule).moveTo(PAGE.left, y).lineTo(PAGE.right, y).stroke();
  }
}

/** Returns the text, or its beginning with an ellipsis. */
function fitting(text: string, width: number, widthOf: (character: string) => number): string {
  const characters = Array.from(text);
  const widths = characters.map(widthOf);
  let left = sum(widths);
  if (left <= width) return text;
  left += widthOf('…');
  let end = characters.length;
  while (end > 1 && left > width) {
    end -= 1;
    left -= widths[end] ?? 0;
  }
  return `${characters.slice(0, end).join('')}…`;
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

const SUMMARY_TOP = PAGE.top + 60;

function summaryEnd({ totals }: HeadView): number {
  return SUMMARY_TOP + (totals.length + 4) * ROW;
}

function rowsBelow(y: number): number {
  return Math.floor((PAGE.bottom - y) / ROW);
}
