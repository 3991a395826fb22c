/**
 * Recognises TLS failures about certificates: a provider refuses ours, or we do not trust the provider's. This module knows
 * only sockets and their error codes, no requests. A provider refuses our certificate with a fatal alert. **During the
 * handshake, the alert proves that the provider read nothing of a request:**
 *
 * - A peer that finds a certificate unacceptable aborts the handshake (RFC 8446 §4.4.2.4).
 * - No peer accepts application data before it has validated the other's Finished (§4.4.4). Early data is the only exception
 * (§2.3), and we send none.
 * - A fatal alert closes the connection immediately, and the peer reads no more from it (§6, §6.2; RFC 5246 §7.2.2). In TLS
 * 1.2 we are not connected before the handshake ends, so we have written nothing. In TLS 1.3 we are connected, and may send
 * the request before the alert arrives.
 * **After the handshake, the alert proves nothing.** A TLS 1.2 server may request the certificate again after it has read the
 * request (RFC 5246 §7.4.1.1), and no server has to refuse a certificate at the start. In TLS 1.3, "after the handshake" means
 * after any data or a session ticket, which follows our Finished (RFC 8446 §4.6.1). The gateway cannot recognise a server that
 * closes without an alert, or an alert that a connection reset discards.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { errorCode } from '../../foundation/error-code.ts';

/**
 * The alerts about a sent or missing certificate (RFC 8446 §6.2), in OpenSSL's wording with all its prefixes. A TLS 1.2
 * server responds to a missing certificate with `handshake_failure` (RFC 5246 §7.4.6). That alert has many other causes, so
 * it is excluded.
 */
const ALERTS =
  /^ERR_SSL_\S*_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA|ACCESS_DENIED)$/;

/** Node's codes for an untrusted peer certificate: OpenSSL's X509_V_ERR_… and Node's own code for a wrong host name. */
const DISTRUSTS =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_)/;

export function isCertificateRefusal(error: unknown): boolean {
  return ALERTS.test(errorCode(error) ?? '');
}

/** Returns true if we did not connect because we do not trust the peer's certificate. */
export function isDistrust(error: unknown): boolean {
  return DISTRUSTS.test(errorCode(error) ?? '');
}

/** The error of an established connection on which the provider then refused our certificate. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
  /** Differs from undici's own codes, because undici would retry on those. */
  readonly code: string;
  /** True if the refusal proves that the provider read nothing that we wrote. */
  readonly isNothingRead: boolean;

  constructor(cause: unknown, isNothingRead: boolean) {
    super('the provider refuses our certificate', { cause });
    this.code = errorCode(cause) ?? '';
    this.isNothingRead = isNothingRead;
  }
}

/**
 * Makes a new connection end with `CertificateRefused` if the provider refuses our certificate. Without this, undici sees the
 * alert and then the close, and returns only the close.
 */
export function watchForRefusal(socket: Socket): void {
  if (!(socket instanceof TLSSocket)) return;
  let isHandshakeOver = socket.getProtocol() !== 'TLSv1.3';
  const end = () => {
    isHandshakeOver = true;
  };
  socket.once('session', end).once('readable', end);
  socket.on('error', (error) => {
    if (isCertificateRefusal(error)) socket.destroy(new CertificateRefused(error, !isHandshakeOver));
  });
}
