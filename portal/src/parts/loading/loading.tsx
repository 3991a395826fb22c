/** Content that is being loaded. Its styles are those of the sign-in, which every page has. */
import { useSignInWords } from '../../words/words.ts';

export function Loading() {
  const { loading } = useSignInWords();
  return (
    <div className="loading" role="status" aria-label={loading}>
      <span />
    </div>
  );
}
