/**
 * Re-encodes a PNG from its checked parts. Only the chunks of the picture itself survive, so no text, profile, time or
 * trailing data of the upload reaches a payer. Pure.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const LARGEST_SIDE = 512;

/** Samples per pixel and the allowed bits per sample, by colour type (PNG specification, 11.2.1). */
const COLOUR_TYPES: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

const PALETTE = 3;
const HIGHEST_FILTER = 4;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Returns undefined unless the bytes are a complete PNG of at most 512 × 512 pixels, without interlacing. */
export function rewritePng(bytes: Buffer): Buffer | undefined {
  const chunks = readChunks(bytes);
  const [header] = chunks ?? [];
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== 13) return undefined;
  const lines = lineShape(header.data);
  const pixels = lines && inflatePixels(chunks, lines);
  if (!pixels) return undefined;
  const colours = chunks.filter(({ type }) => type === 'PLTE' || type === 'tRNS');
  const hasPalette = colours.some(({ type }) => type === 'PLTE');
  const isRight = colours.every(isColourChunk) && (header.data[9] !== PALETTE || hasPalette);
  if (!isRight || new Set(colours.map(({ type }) => type)).size !== colours.length) return undefined;
  const palette = colours.toSorted((one, other) => (one.type < other.type ? -1 : 1));
  const image = { type: 'IDAT', data: deflateSync(pixels, { level: 9 }) };
  const written = [header, ...palette, image, { type: 'IEND', data: Buffer.alloc(0) }];
  return Buffer.concat([SIGNATURE, ...written.map(writeChunk)]);
}

/** Returns undefined if a chunk is truncated, its checksum is wrong, or the end is missing. */
function readChunks(bytes: Buffer): Chunk[] | undefined {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  return undefined;
}

interface LineShape {
  readonly height: number;
  /** Includes the byte that names the line's filter. */
  readonly bytes: number;
}

function lineShape(header: Buffer): LineShape | undefined {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colourType = 0, ...rest] = header.subarray(8);
  const colours = COLOUR_TYPES[colourType];
  const isPossible = Math.min(width, height) > 0 && Math.max(width, height) <= LARGEST_SIDE;
  // Compression, filter and interlace methods must be zero, the only value that exists or that the gateway supports.
  if (!isPossible || !colours?.depths.includes(depth) || rest.some((method) => method !== 0)) return undefined;
  return { height, bytes: 1 + Math.ceil((width * colours.samples * depth) / 8) };
}

function inflatePixels(chunks: readonly Chunk[], { height, bytes }: LineShape): Buffer | undefined {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const size = height * bytes;
  try {
    const pixels = inflateSync(packed, { maxOutputLength: size });
    if (pixels.length !== size) return undefined;
    for (let line = 0; line < height; line++) if ((pixels[line * bytes] ?? 255) > HIGHEST_FILTER) return undefined;
    return pixels;
  } catch {
    // This is not a deflate stream, or it is longer than the picture's size allows.
    return undefined;
  }
}

function isColourChunk({ type, data }: Chunk): boolean {
  if (type === 'tRNS') return data.length > 0 && data.length <= 256;
  return data.length > 0 && data.length <= 768 && data.length % 3 === 0;
}

function writeChunk({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
