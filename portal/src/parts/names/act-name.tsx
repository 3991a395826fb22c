/** An action by its name. A tooltip shows its name in the management API. */
import { useWords } from '../../words/words.ts';

export function ActName({ act }: { act: string }) {
  const name = useWords().acts[act];
  return (
    <span title={act} className={name === undefined ? 'code' : undefined}>
      {name ?? act}
    </span>
  );
}
