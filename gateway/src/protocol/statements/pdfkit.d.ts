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

  export default class PDFDocument extends Readable {
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
