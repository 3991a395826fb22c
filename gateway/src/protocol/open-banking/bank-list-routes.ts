/**
 * GET and HEAD /api/v2/open-banking/banks?country=: the banks that a form request may name as `bank_id` (decision
 * 0028). The list is public, so no merchant's settings apply, and it has no `status` field. The HTTP code therefore
 * states the outcome: 200 or 304, or an error in the envelope of the payout family.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { BankDirectory } from '../../domain/payments/banks/bank-directory.ts';
import { isCountry } from '../formats/contact-details.ts';
import { acceptedType } from '../http/accepted-type.ts';
import { isKnownToClient } from '../http/entity-tag.ts';
import { parseQuery, RepeatedName } from '../http/form-body.ts';
import { MalformedBody } from '../http/json-body.ts';
import { sendJson } from '../http/send-json.ts';
import { payoutErrorReply } from '../payout/payout-reply.ts';
import { BANK_LIST_TYPES, createBankListWriter } from './write-bank-list.ts';

interface BankListParts {
  readonly banks: Pick<BankDirectory, 'banks' | 'isOffered'>;
}

export const BANK_LIST_PATH = '/api/v2/open-banking/banks';

/** Banks change within days. A client with an older list requests it again with its entity tag, at almost no cost. */
const CACHE_CONTROL = 'public, max-age=600';

interface ListFailure {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const FAILURES = {
  country: { status: 400, text: 'Invalid country' },
  query: { status: 400, text: 'Invalid query' },
  unavailable: { status: 404, text: 'Method unavailable' },
  /** The provider has sent no list since the gateway was set up. An empty list would erase the merchant's copy. */
  notYet: { status: 503, text: 'Temporary error', headers: { 'retry-after': '30' } },
} as const satisfies Record<string, ListFailure>;

/** Returns a fastify plug-in: `app.register(bankListRoutes(parts))`. Fastify responds to HEAD with the headers of GET. */
export function bankListRoutes({ banks: directory }: BankListParts): (scope: FastifyInstance) => Promise<void> {
  const represent = createBankListWriter();
  return async (scope) => {
    scope.get(BANK_LIST_PATH, async (request, reply) => {
      reply.header('vary', 'Accept');
      if (!directory.isOffered) return sendFailure(reply, FAILURES.unavailable);
      const country = readCountry(request.url);
      if (typeof country !== 'string') return sendFailure(reply, country);
      const banks = directory.banks();
      if (banks.length === 0) return sendFailure(reply, FAILURES.notYet);
      const type = acceptedType(request.headers.accept, BANK_LIST_TYPES);
      const { contentType, body, entityTag } = represent(banks, country, type);
      reply.header('etag', entityTag).header('cache-control', CACHE_CONTROL);
      if (isKnownToClient(request.headers['if-none-match'], entityTag)) return reply.code(304).send();
      return reply.header('content-type', contentType).send(body);
    });
  };
}

/** Returns the country in upper case, or '' if the query has no country. */
function readCountry(url: string): string | ListFailure {
  try {
    const country = parseQuery(url).get('country');
    if (country === undefined) return '';
    return isCountry(country) ? country.toUpperCase() : FAILURES.country;
  } catch (error) {
    if (error instanceof RepeatedName) return error.repeated === 'country' ? FAILURES.country : FAILURES.query;
    if (error instanceof MalformedBody) return FAILURES.query;
    throw error;
  }
}

function sendFailure(reply: FastifyReply, { status, text, headers = {} }: ListFailure): FastifyReply {
  reply.headers(headers).header('cache-control', 'no-store');
  return sendJson(reply, status, payoutErrorReply(text));
}
