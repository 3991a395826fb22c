/** The roles of a team, as far as one user may grant them. */
import {
  MERCHANT_ROLES,
  OPERATOR_ROLES,
  type Permission,
  type Role,
} from '../../../../gateway/contract/permissions.ts';

interface NamedRole extends Role {
  readonly name: string;
}

/** `merchantId` is null for the operator. */
export function rolesOf(merchantId: string | null): NamedRole[] {
  const roles: Readonly<Record<string, Role>> = merchantId === null ? OPERATOR_ROLES : MERCHANT_ROLES;
  return Object.entries(roles).map(([name, role]) => ({ name, ...role }));
}

/** A user can grant or remove only a role whose permissions they all have. */
export function isGivable({ permissions }: Role, own: readonly Permission[]): boolean {
  return permissions.every((permission) => own.includes(permission));
}
