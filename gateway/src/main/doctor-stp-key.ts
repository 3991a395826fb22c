/** The doctor's look at the key that signs what STP is asked. It never makes one: that is left to the first use. */
import { createPrivateKey } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Finding } from '../cli/gateway-operations.ts';
import type { Config } from './config.ts';
import { bad, good } from './doctor-finding.ts';

const NAME = 'Key for STP';
const MEND = 'Correct STP_PRIVATE_KEY_FILE, or make the key: openssl genpkey (docs/operations/running.md)';

export async function examineStpKey({ rails: { stp } }: Config): Promise<Finding[]> {
  if (!stp) return [];
  const { privateKeyFile: file, simulated } = stp;
  let text: Buffer;
  try {
    text = await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && simulated) return [good(NAME, `${file} is made at its first use`)];
    return [bad(NAME, `${file} can't be read (${code})`, MEND)];
  }
  if (!isRsaKey(text)) return [bad(NAME, `${file} holds no RSA private key in PEM`, MEND)];
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) return [bad(NAME, `${file} can be read by others`, `Run: chmod 600 ${file}`)];
  return [good(NAME, `${file} can be opened`)];
}

function isRsaKey(pem: Buffer): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
