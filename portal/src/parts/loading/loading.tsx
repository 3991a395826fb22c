/** Content that is being loaded. Its styles are those of the doors, which every page has. */
import { useDoorWords } from '../../words/words.ts';

export function Loading() {
  const { loading } = useDoorWords();
  return (
    <div className="loading" role="status" aria-label={loading}>
      <span />
    </div>
  );
}
