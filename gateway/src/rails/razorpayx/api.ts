/**
 * Sends one request to RazorpayX and classifies the response. provider-http.ts decides what a failed exchange proves,
 * refusals.ts what a rejection proves.
 */
import type { Deadline } from '../../foundation/deadline.ts';
import { basicAuthorization } from '../kit/basic-authorization.ts';
import type { ProviderHttp, ProviderRequest } from '../kit/provider-http.ts';
import { type JsonObject, readObject } from '../kit/provider-json.ts';
import { type Refused, unanswered, unknown } from '../kit/rail-answers.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { RAZORPAYX, type RazorpayXConfiguration } from './configuration.ts';
import { IDEMPOTENCY_HEADER, PAYOUTS_PATH } from './protocol.ts';
import { readRefusal } from './refusals.ts';

/** `refused` has the meaning for a new payout. For other requests, only its reason is used. */
type RazorpayXAnswer =
  | { readonly kind: 'done'; readonly fields: JsonObject }
  | { readonly kind: 'refused'; readonly answer: Refused };

export interface RazorpayXApi {
  /** Creates a payout, or repeats its response if the reference is known. Never throws. */
  make(reference: string, body: string, deadline: Deadline): Promise<RazorpayXAnswer>;
  /** Never throws. */
  get(path: string, deadline: Deadline): Promise<RazorpayXAnswer>;
}

interface RazorpayXApiParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
}

export function createRazorpayXApi(
  { keyId, keySecret }: Pick<RazorpayXConfiguration, 'keyId' | 'keySecret'>,
  { http, hooks }: RazorpayXApiParts,
): RazorpayXApi {
  const headers = () => ({ authorization: basicAuthorization(keyId, keySecret), accept: 'application/json' });

  async function call(request: ProviderRequest, deadline: Deadline): Promise<RazorpayXAnswer> {
    const reply = await http.exchange(request, deadline);
    if (reply.kind !== 'answered') return { kind: 'refused', answer: unanswered(reply) };
    if (reply.status === 200) return read(reply.body);
    const { answer, isOfCredentials } = readRefusal(reply.status, reply.body);
    if (isOfCredentials) hooks.onCredentialRefused(RAZORPAYX);
    return { kind: 'refused', answer };
  }

  return {
    make: (reference, body, deadline) =>
      call(
        {
          verb: 'POST',
          path: PAYOUTS_PATH,
          headers: { ...headers(), 'content-type': 'application/json', [IDEMPOTENCY_HEADER]: reference },
          body,
        },
        deadline,
      ),
    get: (path, deadline) => call({ verb: 'GET', path, headers: headers() }, deadline),
  };
}

function read(body: Buffer): RazorpayXAnswer {
  const fields = readObject(body);
  return fields ? { kind: 'done', fields } : { kind: 'refused', answer: unknown('HTTP 200 without a JSON object') };
}
