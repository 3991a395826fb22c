/** The placeholders of content: a failure, an empty list; and the content once it is there. */
import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Problem } from '../../../gateway/contract/parts/answer-parts.ts';
import type { ApiError } from '../api/api-error.ts';
import type { Words } from '../words/en/en.ts';
import { useWords } from '../words/words.ts';
import { Loading } from './loading/loading.tsx';

/** Returns the kind of the problem in the language of the person. Undefined in English, where its detail says more. */
export function problemKind(
  { type }: Pick<Problem, 'type'>,
  { problems }: Pick<Words, 'problems'>,
): string | undefined {
  return problems[type.slice(type.indexOf('#') + 1)];
}

/** `isPage`: it replaces a whole page, and has its heading. */
export function Refused({ text, isPage = false, children }: { text: string; isPage?: boolean; children?: ReactNode }) {
  const title = (
    <Title order={isPage ? 1 : 2} size="h6">
      {text}
    </Title>
  );
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      {children}
    </Alert>
  );
}

/** No page has the address. */
export const NoSuchPage = () => <Refused text={useWords().problems['not-found'] ?? ''} isPage />;

export function Failed({ error, again, isPage = false }: { error: ApiError; again?: () => void; isPage?: boolean }) {
  const words = useWords();
  return (
    <Refused
      text={error.problem ? (problemKind(error.problem, words) ?? error.problem.title) : words.failed}
      isPage={isPage}
    >
      <Stack gap="xs" align="flex-start">
        {error.problem ? (
          <>
            <Text size="sm" lang="en">
              {error.problem.detail}
            </Text>
            <Text size="xs" className="muted">
              {words.requestId}: {error.problem.requestId}
            </Text>
          </>
        ) : null}
        {again ? (
          <Button size="xs" variant="default" onClick={again}>
            {words.again}
          </Button>
        ) : null}
      </Stack>
    </Refused>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return (
    <Text className="muted" p="xl" ta="center">
      {children}
    </Text>
  );
}

interface Read<Data> {
  readonly data: Data | undefined;
  readonly error: ApiError | null;
  readonly refetch: () => unknown;
}

interface ShownProps<Data> {
  readonly of: Read<Data>;
  readonly isPage?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/** The content once it was read. Content stays visible when a later reading fails. */
export function Shown<Data>({ of, isPage = false, children }: ShownProps<Data>) {
  if (of.data !== undefined) return children(of.data);
  return of.error ? <Failed error={of.error} again={() => void of.refetch()} isPage={isPage} /> : <Loading />;
}
