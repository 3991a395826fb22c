/** Pauses payouts, or resumes them. */
import type { Call } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';

const words = operatorPages.rails;

type Named = NonNullable<Call<'pauses.pause'>['params']>;

export function PauseButton({ scope, target, isPaused }: Named & { readonly isPaused: boolean }) {
  const { reason } = useWords();
  const may = useMay();
  if (!may('rails:write')) return null;
  const named = `${words.scopes[scope]} ${target}`;
  const button = { size: 'compact-sm' } as const;
  return isPaused ? (
    <ActButton
      act="pauses.resume"
      params={{ scope, target }}
      label={words.resume}
      name={`${words.resume}: ${named}`}
      text={words.resumeText(named)}
      button={button}
    />
  ) : (
    <ActButton
      act="pauses.pause"
      params={{ scope, target }}
      label={words.pause}
      name={`${words.pause}: ${named}`}
      text={words.pauseText(named)}
      fields={[{ name: 'reason', label: reason, isRequired: true, isLong: true }]}
      button={button}
    />
  );
}
