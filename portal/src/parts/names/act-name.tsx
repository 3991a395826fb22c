/** An action by its name, with its name in the management API on hover. */
import { useWords } from '../../words/words.ts';

export function ActName({ act }: { act: string }) {
  const name = useWords().acts[act];
  return (
    <span title={act} className={name === undefined ? 'code' : undefined}>
      {name ?? act}
    </span>
  );
}
