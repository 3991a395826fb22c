/**
 * Reads our certificate for the bank, its private key, and the authority of the bank's certificate. The bank issues
 * them (in development its simulator does), so the files may appear and change while the gateway runs. The caller reads
 * them for each new connection. Throws if a file is unreadable.
 */
import { readFileSync } from 'node:fs';
import type { TlsIdentity } from '../kit/provider-http.ts';
import type { PixConfiguration } from './configuration.ts';

export function identityIn({ certificateFile, privateKeyFile, caFile }: PixConfiguration): TlsIdentity {
  return {
    cert: readFileSync(certificateFile, 'utf8'),
    key: readFileSync(privateKeyFile, 'utf8'),
    ca: caFile === null ? undefined : readFileSync(caFile, 'utf8'),
  };
}
