/** Placeholders for content (an error, an empty list), and the content once it has loaded. */
import type { ReactNode } from 'react';
import type { Problem } from '../../../../gateway/contract/parts/answer-parts.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';
import { Button, Notice } from '../elements/elements.tsx';
import { Loading } from './loading.tsx';

/** Returns the kind of the problem in the user's language. Undefined in English, where its detail is more precise. */
export function problemKind(
  { type }: Pick<Problem, 'type'>,
  { problems }: Pick<Words, 'problems'>,
): string | undefined {
  return problems[type.slice(type.indexOf('#') + 1)];
}

/** `isPage` is true if it replaces a complete page and needs a heading. */
export function Refused({ text, isPage = false, children }: { text: string; isPage?: boolean; children?: ReactNode }) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <Notice color="red" title={<Title className="h6">{text}</Title>} role="alert">
      {children}
    </Notice>
  );
}

/** Shown if no page has this URL. */
export const NoSuchPage = () => <Refused text={useWords().problems['not-found'] ?? ''} isPage />;

export function Failed({ error, again, isPage = false }: { error: ApiError; again?: () => void; isPage?: boolean }) {
  const words = useWords();
  return (
    <Refused
      text={error.problem ? (problemKind(error.problem, words) ?? error.problem.title) : words.failed}
      isPage={isPage}
    >
      {error.problem ? (
        <>
          <p className="small" lang="en">
            {error.problem.detail}
          </p>
          <p className="tiny muted">
            {words.requestId}: {error.problem.requestId}
          </p>
        </>
      ) : null}
      {again ? (
        <Button size="xs" onClick={again}>
          {words.again}
        </Button>
      ) : null}
    </Refused>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="nothing">{children}</p>;
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

/** Shows the content once it was read. It stays visible if a later read fails. */
export function Shown<Data>({ of, isPage = false, children }: ShownProps<Data>) {
  if (of.data !== undefined) return children(of.data);
  return of.error ? <Failed error={of.error} again={() => void of.refetch()} isPage={isPage} /> : <Loading />;
}
