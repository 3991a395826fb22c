/** Reads a ZIP archive, such as a spreadsheet. */
import { inflateRawSync } from 'node:zlib';

/** Returns the text of a file in a ZIP archive. Finds it in the central directory at the end. */
export function entryOf(archive: Buffer, name: string): string {
  const entry = archive.lastIndexOf(name) - 46;
  const [size, at] = [archive.readUInt32LE(entry + 20), archive.readUInt32LE(entry + 42)];
  const data = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  return inflateRawSync(archive.subarray(data, data + size)).toString();
}
