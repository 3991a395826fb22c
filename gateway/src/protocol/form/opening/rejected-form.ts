/** The page view of a rejected form request: the invalid field and its problem, never the received text. */
import { parseForm } from '../../http/form-body.ts';
import { MalformedBody } from '../../http/json-body.ts';
import type { ParameterProblem, PlainView } from '../pages/page-view.ts';
import { FORM_FIELDS, type FormRejection } from '../request/form-fields.ts';

const PROBLEMS: Readonly<Record<Exclude<FormRejection['kind'], 'merchant_disabled'>, ParameterProblem>> = {
  missing: 'missing',
  malformed: 'invalid',
  repeated: 'repeated',
  too_long: 'invalid',
  conflict: 'conflict',
  not_supported: 'not_supported',
  unavailable: 'not_supported',
  out_of_limits: 'out_of_limits',
  unknown_merchant: 'unknown',
  wrong_signature: 'wrong_signature',
};

export function rejectedView(rejection: FormRejection): PlainView {
  if (rejection.kind === 'merchant_disabled')
    return { kind: 'problem', problem: 'merchant_unavailable', shopUrl: null };
  return { kind: 'invalid_request', field: rejection.field, problem: PROBLEMS[rejection.kind] };
}

/** Returns the page for parameters that cannot be decoded. It shows the first broken known parameter, or else the query or body. */
export function undecodedView(text: string, place: 'query' | 'body'): PlainView {
  const broken = text.split('&').find((pair) => !isDecodable(pair));
  const name = broken?.slice(0, broken.indexOf('=')) ?? '';
  return { kind: 'invalid_request', field: Object.hasOwn(FORM_FIELDS, name) ? name : place, problem: 'invalid' };
}

function isDecodable(pair: string): boolean {
  try {
    parseForm(pair);
    return /^[\x21-\x7e]*$/.test(pair);
  } catch (error) {
    if (error instanceof MalformedBody) return false;
    throw error;
  }
}
