/** Sets the merchant of a query for callers of a merchant, who do not name it themselves. */
import type { Endpoint } from '../../../../contract/parts/endpoint.ts';
import type { Caller } from '../../../domain/people/caller.ts';

/** A merchant's caller lists its own objects without naming itself. */
export function ownQuery({ query }: Endpoint, caller: Caller, given: unknown): unknown {
  const isListed = Object.hasOwn(query.properties, 'merchantId');
  return isListed && caller.merchantId !== null ? { ...(given as object), merchantId: caller.merchantId } : given;
}
