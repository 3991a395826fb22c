/** The operator’s roles that may do what the user may not, so that they know whom to ask. Merchant users see nothing. */
import { OPERATOR_ROLES, type Permission, type Role } from '../../../../gateway/contract/permissions.ts';
import { useMay, useSession } from '../../api/session.ts';
import { useWords } from '../../words/words.ts';

const ROLES: readonly (readonly [string, Role])[] = Object.entries(OPERATOR_ROLES);

export function WhoMay({ permission }: { permission: Permission }) {
  const { waits, roleNames } = useWords();
  const may = useMay();
  if (useSession().merchantId !== null || may(permission)) return null;
  const names = ROLES.filter(([, { permissions }]) => permissions.includes(permission));
  return <p className="small muted">{waits.whoMay(names.map(([name]) => roleNames[name] ?? name).join(', '))}</p>;
}
