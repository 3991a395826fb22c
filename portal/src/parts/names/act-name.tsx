/** An action by its name, and its name in the management API. */
import { useWords } from '../../words/words.ts';

export function ActName({ act }: { act: string }) {
  const name = useWords().acts[act];
  return (
    <>
      {name} <span className={name === undefined ? 'code' : 'code muted'}>{act}</span>
    </>
  );
}
