/**
 * Reports the mistake in a wrong signature, in a header. Only a sandbox reports it: on a live gateway it would help an
 * attacker who guesses signatures.
 */
import type { GatewayCore } from '../../gateway/src/main/compose/gateway-core.ts';
import { explainHere } from '../../gateway/src/main/requests/explain-request.ts';

const MISTAKE_HEADER = 'signature-mistake';

export interface Refused {
  readonly path: string;
  readonly sent: Buffer;
  readonly xSign: string | string[] | undefined;
  readonly reply: string;
}

const ENDPOINTS = {
  '/merchant/api/payout_send': 'payout_send',
  '/merchant/api/payout_status': 'payout_status',
  '/payment/balance': 'balance',
  '/api/payment-list': 'list',
  '/api/v2/spei/host2host/create': 'host2host',
} as const;

type Path = keyof typeof ENDPOINTS;

export function mayExplain(path: string): path is Path {
  return Object.hasOwn(ENDPOINTS, path);
}

export async function explainRefusal(
  core: GatewayCore,
  merchantId: string,
  { path, sent, xSign, reply }: Refused,
): Promise<Readonly<Record<string, string>>> {
  if (!mayExplain(path) || !reply.includes('Sign error')) return {};
  const headers: Record<string, string> = typeof xSign === 'string' ? { 'x-sign': xSign } : {};
  const findings = await explainHere(core, merchantId, { endpoint: ENDPOINTS[path], request: sent, headers });
  const texts = findings.flatMap((finding) => {
    if (finding.kind === 'mistake') return finding.mistakes.map(({ id, text }) => `${id}: ${text}`);
    return 'text' in finding ? [finding.text] : [];
  });
  return texts.length === 0 ? {} : { [MISTAKE_HEADER]: plain(texts.join(' ')) };
}

/** A header has letters of ASCII only. */
function plain(text: string): string {
  return text.replaceAll('’', "'").replace(/[^\x20-\x7e]/g, '?');
}
