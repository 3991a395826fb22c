/** A loading indicator. Its styles belong to the sign-in page, which always loads. */
import { useSignInWords } from '../../words/words.ts';

export function Loading() {
  const { loading } = useSignInWords();
  return (
    <div className="loading" role="status" aria-label={loading}>
      <span />
    </div>
  );
}
