/** The keyboard shortcuts of the pages. The key ? opens the list. */
import { Table } from '@mantine/core';
import { Themed } from '../look/themed.tsx';
import { Dialog } from '../parts/acts/dialog.tsx';
import { useWords } from '../words/words.ts';

export default function KeyHelp({ close }: { close: () => void }) {
  const { keys } = useWords();
  const rows = [
    ['/', keys.search],
    ['j k', keys.walk],
    ['Enter', keys.open],
    ['?', keys.help],
  ];
  return (
    <Themed>
      <Dialog isOpen close={close} title={keys.title}>
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
    </Themed>
  );
}
