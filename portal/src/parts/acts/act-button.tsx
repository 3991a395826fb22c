/**
 * A button that performs one action of the management API. Its dialog loads when the pointer or the focus is near the button.
 * Each opening of the dialog is one action, however often its button is pressed.
 */
import { useState } from 'react';
import type { EndpointName } from '../../../../gateway/contract/endpoints.ts';
import { newId } from '../../browser.ts';
import { loadWithStyles } from '../../start/load-with-styles.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../elements/elements.tsx';
import { Hint } from '../elements/hint.tsx';
import type { ActButtonProps } from './act-props.ts';
import { showToast } from './toast-list.ts';

const loadDialog = () => loadWithStyles(() => import('./act-dialog.tsx'));
const prepare = () => void loadDialog().catch(() => {});

export function ActButton<Name extends EndpointName>(props: ActButtonProps<Name>) {
  const { failed } = useWords();
  const [dialog, setDialog] = useState<Awaited<ReturnType<typeof loadDialog>> | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const open = async () => {
    try {
      setDialog(await loadDialog());
      setKey(newId());
    } catch {
      showToast({ text: failed });
    }
  };
  return (
    <>
      <Hint text={props.obstacle}>
        <Button
          {...props.button}
          data-act={props.act}
          aria-label={props.name}
          aria-description={props.obstacle ?? undefined}
          aria-disabled={props.obstacle ? true : undefined}
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => (props.obstacle ? undefined : void open())}
        >
          {props.label}
        </Button>
      </Hint>
      {dialog ? <dialog.ActDialog {...props} idempotencyKey={key} close={() => setKey(null)} /> : null}
    </>
  );
}
