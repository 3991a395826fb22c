/** Recognises master keys that were not drawn at random. It cannot confirm that a key is random. */
import type { MasterKey } from '../../domain/vault/create-vault.ts';

/** 32 random bytes have about 30 different values. Fewer than this occurs once in 10^20 keys. */
const FEWEST_DIFFERENT = 16;

/** Returns true for all zeros, few different bytes, a constant step between bytes, two equal halves, or printable text. */
export function isWeakKey({ key }: MasterKey): boolean {
  const bytes = [...key.export()];
  const steps = bytes.slice(1).map((byte, index) => (byte - (bytes[index] ?? 0)) & 0xff);
  const half = bytes.length / 2;
  return (
    new Set(bytes).size < FEWEST_DIFFERENT ||
    new Set(steps).size < FEWEST_DIFFERENT ||
    bytes.slice(0, half).join() === bytes.slice(half).join() ||
    bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  );
}
