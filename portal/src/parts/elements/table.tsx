/** A table whose rows become blocks on a phone. */
import type { ReactElement, ReactNode, Ref } from 'react';
import type { PagePath } from '../links/paths.ts';

export interface Column<Item> {
  readonly label: string;
  readonly cell: (item: Item) => ReactNode;
  /** Amounts and buttons are right-aligned. */
  readonly isEnd?: boolean;
}

interface TableProps<Item> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** The address that a row links to, if any. */
  readonly pathOf?: ((item: Item) => PagePath) | undefined;
  /** The row that the keyboard is at. */
  readonly current?: number;
  readonly body?: Ref<HTMLTableSectionElement>;
  /** Shown in place of a table without rows. If undefined, the table shows its head only. */
  readonly empty?: string | ReactElement;
}

const Nothing = ({ text }: { text: string }) => <p className="small muted">{text}</p>;

export function Table<Item>({ label, columns, items, keyOf, pathOf, current, body, empty }: TableProps<Item>) {
  if (items.length === 0 && empty !== undefined) return typeof empty === 'string' ? <Nothing text={empty} /> : empty;
  return (
    <table className="list" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ label: name, isEnd }) => (
            <th key={name} scope="col" data-end={isEnd || undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {items.map((item, index) => (
          <tr key={keyOf(item)} data-current={index === current || undefined} data-path={pathOf?.(item)}>
            {columns.map(({ label: name, cell, isEnd }) => (
              <td key={name} data-label={name} data-end={isEnd || undefined}>
                <span>{cell(item)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
