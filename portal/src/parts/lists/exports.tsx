/** Exports of lists. They continue when the user leaves the page, and show progress, a cancel button and the file. */
import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import {
  cancelExport,
  dropExport,
  EXPORT_FORMATS,
  type ExportJob,
  exportJobs,
  onExports,
  startExport,
} from '../../api/exports.ts';
import { useWords } from '../../words/words.ts';

export function ExportButton({ list, query }: { list: string; query: Readonly<Record<string, string>> }) {
  const words = useWords();
  return EXPORT_FORMATS.map((format) => (
    <Button key={format} variant="default" size="xs" onClick={() => startExport(list, format, query)}>
      {words.exportAs(format.toUpperCase())}
    </Button>
  ));
}

export function Exports() {
  const words = useWords();
  const jobs = useSyncExternalStore(onExports, exportJobs);
  if (jobs.length === 0) return null;
  return (
    <aside className="exports" aria-label={words.exports.title}>
      {jobs.map((job) => (
        <Paper key={job.id} withBorder p="xs" shadow="sm">
          <Job job={job} />
        </Paper>
      ))}
    </aside>
  );
}

function Job({ job: { id, file, state, rows, address } }: { job: ExportJob }) {
  const { exports: words, close } = useWords();
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" role="status">
        {[file, words.states[state], ...(rows === null ? [] : [words.rows(String(rows))])].join(' · ')}
      </Text>
      <Group gap="xs">
        {state === 'running' ? (
          <Button size="compact-xs" variant="default" onClick={() => cancelExport(id)}>
            {words.cancel}
          </Button>
        ) : null}
        {address === null ? null : (
          <Button size="compact-xs" component="a" href={address} download={file}>
            {words.download}
          </Button>
        )}
        {state === 'running' ? null : (
          <CloseButton size="sm" onClick={() => dropExport(id)} aria-label={`${close}: ${file}`} />
        )}
      </Group>
    </Group>
  );
}
