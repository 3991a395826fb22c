/** The tables of roles and their permissions, from the contract. */
import { MERCHANT_ROLES, OPERATOR_ROLES, PERMISSION_NAMES, type Role } from '../../contract/permissions.ts';

/** Returns one row per permission that a role has, and one column per role. */
function rolesTable(roles: Readonly<Record<string, Role>>): string {
  const names = Object.keys(roles);
  const used = PERMISSION_NAMES.filter((each) => names.some((name) => roles[name]?.permissions.includes(each)));
  const marks = (permission: (typeof used)[number]) =>
    names.map((name) => (roles[name]?.permissions.includes(permission) ? '✓' : ''));
  const meanings = ['duty', ...names.map((name) => roles[name]?.meaning ?? '')];
  const rows = [meanings, ...used.map((permission) => [`\`${permission}\``, ...marks(permission)])];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(['permission', ...names]), `|${'---|'.repeat(names.length + 1)}`, ...rows.map(line)].join('\n');
}

export const ROLE_TABLES = {
  'merchant roles': () => rolesTable(MERCHANT_ROLES),
  'operator roles': () => rolesTable(OPERATOR_ROLES),
};
