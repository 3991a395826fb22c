/** A table whose rows become blocks on a phone. */
import type { ReactElement, ReactNode, Ref } from 'react';
import type { PagePath } from '../links/paths.ts';

export interface Column<Item> {
  readonly label: string;
  readonly cell: (item: Item) => ReactNode;
  /** True for amounts and buttons, which are right-aligned. */
  readonly isEnd?: boolean;
}

interface TableProps<Item> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Returns the URL to which a row links. */
  readonly pathOf?: ((item: Item) => PagePath) | undefined;
  /** The row selected by keyboard. */
  readonly current?: number;
  readonly body?: Ref<HTMLTableSectionElement>;
  /** Shown instead of a table without rows. If undefined, only the table's header is shown. */
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
