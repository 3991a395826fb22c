/**
 * Positions in PostgreSQL's log (WAL), and the names of the segment files that hold them. A position is a number of bytes
 * since the server was created; the server prints it as `0/16B3740`.
 */

/** The size of a segment, unless initdb set a different size. */
export const SEGMENT_BYTES = 16n * 1024n * 1024n;

const SEGMENTS_OF_A_LOG = 0x1_0000_0000n / SEGMENT_BYTES;

export function parsePosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function formatPosition(position: bigint): string {
  const low = position & 0xffff_ffffn;
  return `${(position >> 32n).toString(16).toUpperCase()}/${low.toString(16).toUpperCase()}`;
}

/** Returns the first position of the segment that contains `position`. */
export function startOfSegment(position: bigint): bigint {
  return position - (position % SEGMENT_BYTES);
}

/** Returns the file name of the segment, such as `000000010000000000000002`. */
export function segmentName(timeline: number, position: bigint): string {
  const number = position / SEGMENT_BYTES;
  return [BigInt(timeline), number / SEGMENTS_OF_A_LOG, number % SEGMENTS_OF_A_LOG].map(eightDigits).join('');
}

/** Returns the first position of a segment file, or undefined for any other file. */
export function readSegmentName(name: string): { timeline: number; start: bigint } | undefined {
  const [, timeline, log, segment] = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})(?:\.partial)?$/.exec(name) ?? [];
  if (timeline === undefined || log === undefined || segment === undefined) return undefined;
  const number = BigInt(`0x${log}`) * SEGMENTS_OF_A_LOG + BigInt(`0x${segment}`);
  return { timeline: Number.parseInt(timeline, 16), start: number * SEGMENT_BYTES };
}

/** Returns the history file, which says where a timeline begins. */
export function timelineFile(timeline: number): string {
  return `${eightDigits(BigInt(timeline))}.history`;
}

function eightDigits(value: bigint): string {
  return value.toString(16).toUpperCase().padStart(8, '0');
}
