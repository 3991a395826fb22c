/** Faults of a plan on large tables: it scans a complete table, sorts without a limit, or costs too much. */
import { LARGE_TABLES } from './large-tables.ts';

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Alias?: string;
  readonly 'Plan Rows': number;
  readonly 'Total Cost': number;
  readonly Plans?: readonly PlanNode[];
}

/** The maximum number of rows that one step may read or sort. Every batch and page is smaller. */
const MOST_ROWS = 25_000;
/**
 * In the planner's cost units: reading a row by its key costs about 2, scanning one merchant's share of a large table 2,000.
 */
const MOST_COST = 1_500;

const LARGE: ReadonlySet<string> = new Set(LARGE_TABLES);

export function faultsOfPlan(plan: PlanNode, mostCost = MOST_COST): string[] {
  const faults = faultsOfNode(plan, false);
  if (plan['Total Cost'] > mostCost) faults.push(`costs ${Math.round(plan['Total Cost'])}`);
  return [...new Set(faults)];
}

function faultsOfNode(node: PlanNode, isLimited: boolean): string[] {
  const type = node['Node Type'];
  const table = node['Relation Name'] ?? '';
  const faults: string[] = [];
  if (type === 'Seq Scan' && LARGE.has(table)) faults.push(`reads all of ${table}`);
  const isWholeIndex = /^Index (?:Only )?Scan$/.test(type) && node['Index Cond'] === undefined;
  if (isWholeIndex && LARGE.has(table) && !isLimited) faults.push(`reads all of ${node['Index Name']}`);
  if (/Scan/.test(type) && LARGE.has(table) && node['Plan Rows'] > MOST_ROWS && !isLimited)
    faults.push(`reads ${Math.round(node['Plan Rows'])} rows of ${table}`);
  const input = node.Plans?.[0]?.['Plan Rows'] ?? 0;
  if (type === 'Sort' && input > MOST_ROWS) faults.push(`sorts ${Math.round(input)} rows`);
  const below = isLimited || type === 'Limit';
  return [...faults, ...(node.Plans ?? []).flatMap((each) => faultsOfNode(each, below))];
}
