/** A merchant by its name and its id. Operator users know the name better. */
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { PageLink } from './page-link.tsx';
import { merchantPath } from './paths.ts';

/** Returns all merchants for operator users who may read them; empty before they were read. */
export function useMerchants(isWanted = true): Answer<'merchants.list'>['items'] {
  const isOperator = useSession().merchantId === null;
  const isReadable = useMay()('merchants:read') && isOperator && isWanted;
  return useReading('merchants.list', {}, isReadable).data?.items ?? [];
}

/** Returns the name of a merchant for operator users; '' before it was read. */
export function useMerchantName(merchantId: string): string {
  return useMerchants(merchantId !== '').find((merchant) => merchant.merchantId === merchantId)?.name ?? '';
}

/** The name with the id below it. */
function MerchantName({ merchantId }: { merchantId: string }) {
  const name = useMerchantName(merchantId);
  return (
    <>
      {name === '' ? null : <div>{name}</div>}
      <span className={name === '' ? undefined : 'tiny muted'}>{merchantId}</span>
    </>
  );
}

/** A column of a list of the operator. */
export const merchantColumn = (label: string) => ({
  label,
  cell: ({ merchantId }: { readonly merchantId: string }) => <MerchantName merchantId={merchantId} />,
});

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
