/**
 * Reads our certificate for a provider, its private key, and the authority of the provider's certificate. The caller reads them for
 * each new connection, because the files may appear and change while the gateway runs: the provider issues them, or in development
 * its simulator. Throws if a file is unreadable.
 */
import { readFileSync } from 'node:fs';
import type { TlsIdentity } from './provider-http.ts';

interface CertificateFiles {
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  /** The file of trusted authorities. If null, the system's authorities apply. */
  readonly caFile: string | null;
}

export function identityIn({ certificateFile, privateKeyFile, caFile }: CertificateFiles): TlsIdentity {
  return {
    cert: readFileSync(certificateFile, 'utf8'),
    key: readFileSync(privateKeyFile, 'utf8'),
    ca: caFile === null ? undefined : readFileSync(caFile, 'utf8'),
  };
}
