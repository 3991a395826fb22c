/** A QR code, dark on white in every colour scheme. */
import { create } from 'qrcode';

/** The standard requires four light modules around the code. */
const MARGIN = 4;

/** `label` is the text for screen readers. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const side = size + 2 * MARGIN;
  const dark = [...modules.data].flatMap((bit, at) => (bit ? [squareAt(at % size, Math.floor(at / size))] : []));
  return (
    <svg viewBox={`0 0 ${side} ${side}`} width={200} height={200} role="img" aria-label={label}>
      <rect width={side} height={side} fill="#fff" />
      <path d={dark.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

const squareAt = (column: number, row: number) => `M${column + MARGIN} ${row + MARGIN}h1v1h-1z`;
