/** The part of pdfkit that statements use. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  interface TextOptions {
    readonly width?: number;
    readonly align?: 'left' | 'right';
    readonly lineBreak?: boolean;
    readonly height?: number;
    readonly ellipsis?: boolean;
  }

  export interface Glyph {
    readonly advanceWidth: number;
  }

  interface GlyphRun {
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly Readonly<Record<'xAdvance' | 'yAdvance' | 'xOffset' | 'yOffset', number>>[];
    readonly advanceWidth: number;
  }

  /** A font of fontkit, which pdfkit uses to set text. */
  interface Font {
    layout(text: string): GlyphRun;
    glyphForCodePoint(codePoint: number): Glyph;
  }

  export default class PDFDocument extends Readable {
    /** The chosen font. Not documented by pdfkit, whose version is pinned. */
    readonly _font: { readonly font: Font };
    constructor(options: Readonly<Record<string, unknown>>);
    addPage(): this;
    registerFont(name: string, path: string): this;
    font(name: string): this;
    fontSize(size: number): this;
    fillColor(color: string): this;
    strokeColor(color: string): this;
    lineWidth(width: number): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    stroke(): this;
    widthOfString(text: string): number;
    text(text: string, x: number, y: number, options?: TextOptions): this;
    end(): void;
  }
}
