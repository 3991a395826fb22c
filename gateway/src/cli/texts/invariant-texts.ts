/** Reports of checked invariants as text. */

import type { Endpoints } from '../../../contract/endpoints.ts';
import type { AnswerOf } from '../../../contract/parts/endpoint.ts';
import { formatTable, indent, tick } from '../command-output.ts';

type InvariantReport = AnswerOf<Endpoints['books.verify']>['invariants'][number];

export function invariantText({ name, meaning, holds, offending }: InvariantReport): string {
  const header = Object.keys(offending[0] ?? {});
  const rows = offending.map((row) => header.map((column) => String(row[column])));
  const table = holds ? '' : `\n${indent(formatTable(header, rows, ''))}`;
  return `${tick(holds)} ${name}: ${meaning}${table}`;
}
