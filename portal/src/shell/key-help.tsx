/** The keys of the pages. The key ? brings them up. */
import { Table } from '@mantine/core';
import { Dialog } from '../parts/dialog.tsx';
import { useWords } from '../words/words.ts';

export function KeyHelp({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const { keys } = useWords();
  const rows = [
    ['/', keys.search],
    ['j k', keys.walk],
    ['Enter', keys.open],
    ['?', keys.help],
  ];
  return (
    <Dialog isOpen={isOpen} close={close} title={keys.title}>
      <Table withRowBorders={false}>
        <Table.Tbody>
          {rows.map(([key, meaning]) => (
            <Table.Tr key={key}>
              <Table.Td>
                <kbd>{key}</kbd>
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
