/** The client's public key as a PEM file, which may come or change while the simulator runs. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Undefined as long as there is no such file, or none that holds a key. */
export function publicKeyFile(path: string): () => KeyObject | undefined {
  return () => {
    try {
      return createPublicKey(readFileSync(path));
    } catch {
      return undefined;
    }
  };
}
