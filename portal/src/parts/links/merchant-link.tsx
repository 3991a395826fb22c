/** A merchant by id and name, for operator users as a link to its page. */
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { PageLink } from './page-link.tsx';
import { merchantPath } from './paths.ts';

/** Returns the merchant's name for operator users, who know it better than its id. Empty until it was read. */
export function useMerchantName(merchantId: string): string {
  const isOperator = useSession().merchantId === null;
  const isReadable = useMay()('merchants:read') && isOperator && merchantId !== '';
  return useReading('merchants.show', { params: { merchantId } }, isReadable).data?.name ?? '';
}

export function MerchantLink({ merchantId }: { merchantId: string }) {
  const isOperator = useSession().merchantId === null;
  const name = useMerchantName(merchantId);
  if (!isOperator) return merchantId;
  return (
    <>
      <PageLink to={merchantPath(merchantId)}>{merchantId}</PageLink>
      {name === '' ? null : <div className="tiny muted">{name}</div>}
    </>
  );
}
