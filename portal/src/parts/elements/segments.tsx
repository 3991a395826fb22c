/** A choice between a few values that are all visible. */
import { useId } from 'react';

interface SegmentsProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly choose: (value: string) => void;
}

export function Segments({ label, value, options, choose }: SegmentsProps) {
  const name = useId();
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {options.map(([option, text]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => choose(option)} />
          {text}
        </label>
      ))}
    </div>
  );
}
