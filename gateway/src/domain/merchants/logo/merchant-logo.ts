/**
 * A merchant's logo as payers receive it. The setting contains the uploaded picture as a data URL. Only a picture that the
 * gateway has re-encoded is served, even if the stored text was changed in another way.
 */
import { createHash } from 'node:crypto';
import type { TextReader } from '../../../foundation/text/text-readers.ts';
import { rewritePng } from './png-picture.ts';
import { rewriteSvg } from './svg-picture.ts';

interface MerchantLogo {
  readonly contentType: 'image/png' | 'image/svg+xml';
  readonly body: Buffer;
  /** The last part of its URL, which changes with the picture. */
  readonly name: string;
}

const LARGEST_BYTES = 24 * 1024;
const DATA_ADDRESS = /^data:image\/(png|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})$/;

export const LOGO_READER: TextReader<MerchantLogo> = {
  read: readLogo,
  accepts:
    'a PNG (at most 512 × 512) or an SVG of plain shapes, at most 24 KiB, as data:image/png;base64,… or data:image/svg+xml;base64,…',
};

function readLogo(text: string): MerchantLogo | undefined {
  const [, type, encoded = ''] = DATA_ADDRESS.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (type === undefined || bytes.length > LARGEST_BYTES) return undefined;
  const body = type === 'png' ? rewritePng(bytes) : rewrittenSvg(bytes);
  if (body === undefined) return undefined;
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return type === 'png'
    ? { contentType: 'image/png', body, name: `${hash}.png` }
    : { contentType: 'image/svg+xml', body, name: `${hash}.svg` };
}

function rewrittenSvg(bytes: Buffer): Buffer | undefined {
  const text = bytes.toString('utf8');
  const rewritten = Buffer.from(text).equals(bytes) ? rewriteSvg(text) : undefined;
  return rewritten === undefined ? undefined : Buffer.from(rewritten);
}
