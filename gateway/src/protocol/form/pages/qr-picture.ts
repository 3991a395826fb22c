/** Draws a QR code as inline SVG: no image to load, sharp at any size, dark on white in every colour scheme. */
import { create } from 'qrcode';
import { attributes, type Html, html } from './html.ts';

/** The standard requires four light modules around the code. */
const MARGIN = 4;

/** `label` is the text for screen readers. */
export function qrPicture(text: string, label: string): Html {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const side = modules.size + 2 * MARGIN;
  const picture = attributes({ class: 'qr', viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': label });
  return html`<svg ${picture}><rect ${attributes({ width: side, height: side, fill: '#fff' })}/><path ${attributes({
    d: darkRuns(modules.size, (row, column) => modules.get(row, column) === 1),
    stroke: '#000',
  })}/></svg>`;
}

/** Draws one line for each run of dark modules in a row. The offset of half a module centres the line on the row. */
function darkRuns(size: number, isDark: (row: number, column: number) => boolean): string {
  let path = '';
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const start = column;
      while (column < size && isDark(row, column)) column++;
      if (column > start) path += `M${start + MARGIN} ${row + MARGIN}.5h${column - start}`;
    }
  }
  return path;
}
