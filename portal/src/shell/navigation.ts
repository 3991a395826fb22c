/** The menu. A user sees the entries that their permissions allow. */
import {
  IconActivity,
  IconArrowDownLeft,
  IconArrowsDiff,
  IconArrowUpRight,
  IconBuildingBank,
  IconBuildingStore,
  IconChartLine,
  IconCheck,
  IconCode,
  IconFileUpload,
  IconHistory,
  IconHome,
  IconInbox,
  IconKey,
  IconLock,
  IconReport,
  IconRoute,
  IconScale,
  IconSettings,
  IconShieldCheck,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Permission } from '../../../gateway/contract/permissions.ts';
import type { PagedName } from '../api/queries.ts';
import type { PagePath } from '../parts/links/paths.ts';
import type { Words } from '../words/en/en.ts';

interface MenuEntry {
  readonly to: PagePath;
  /** The initial filters of the list. */
  readonly search?: Readonly<Record<string, string>>;
  /** The list on the page, which is read when the pointer or the focus reaches the entry. */
  readonly list?: PagedName;
  readonly label: keyof Words['navigation'];
  readonly icon: ComponentType<{ size: number; stroke: number }>;
  readonly permission: Permission | null;
  /** If undefined, both the operator and merchants have the page. */
  readonly only?: 'merchant' | 'operator';
}

export const MENU: readonly MenuEntry[] = [
  { to: '/', label: 'home', icon: IconHome, permission: null, only: 'merchant' },
  { to: '/', label: 'inbox', icon: IconInbox, permission: null, only: 'operator' },
  { to: '/today', label: 'home', icon: IconHome, permission: null, only: 'operator' },
  { to: '/charts', label: 'charts', icon: IconChartLine, permission: 'ledger:read' },
  { to: '/payouts', label: 'payouts', icon: IconArrowUpRight, permission: 'payouts:read', list: 'payouts.list' },
  { to: '/batches', label: 'batches', icon: IconFileUpload, permission: 'payouts:read', only: 'merchant' },
  { to: '/deposits', label: 'deposits', icon: IconArrowDownLeft, permission: 'deposits:read', list: 'deposits.list' },
  {
    to: '/held',
    search: { state: 'held' },
    label: 'held',
    icon: IconLock,
    permission: 'deposits:read',
    only: 'operator',
  },
  { to: '/balances', label: 'balances', icon: IconScale, permission: 'ledger:read', only: 'merchant' },
  { to: '/approvals', label: 'approvals', icon: IconCheck, permission: 'payouts:read' },
  { to: '/callbacks', label: 'callbacks', icon: IconWebhook, permission: 'callbacks:read', list: 'callbacks.list' },
  { to: '/requests', label: 'requests', icon: IconReport, permission: 'requests:read', list: 'requests.list' },
  { to: '/rails', label: 'rails', icon: IconBuildingBank, permission: 'rails:read', only: 'operator' },
  { to: '/routes', label: 'routes', icon: IconRoute, permission: 'rails:read', only: 'operator' },
  {
    to: '/differences',
    label: 'differences',
    icon: IconArrowsDiff,
    permission: 'reconciliation:read',
    only: 'operator',
  },
  { to: '/ledger', label: 'ledger', icon: IconScale, permission: 'ledger:read', only: 'operator' },
  { to: '/operations', label: 'operations', icon: IconActivity, permission: 'rails:read', only: 'operator' },
  { to: '/merchants', label: 'merchants', icon: IconBuildingStore, permission: 'merchants:read', only: 'operator' },
  { to: '/developers', label: 'developers', icon: IconCode, permission: 'merchants:read', only: 'merchant' },
  { to: '/settings', label: 'settings', icon: IconSettings, permission: 'merchants:read', only: 'merchant' },
  { to: '/team', label: 'team', icon: IconUsers, permission: 'people:read' },
  { to: '/policies', label: 'policies', icon: IconShieldCheck, permission: 'policies:read' },
  { to: '/tokens', label: 'tokens', icon: IconKey, permission: 'tokens:read' },
  { to: '/audit', label: 'audit', icon: IconHistory, permission: 'audit:read' },
];
