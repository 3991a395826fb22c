/** The dialog of an action: it states the effect and requests a reason and, for a dangerous action, a confirmation. */
import { Alert, Button, Group, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { EndpointName } from '../../../../gateway/contract/endpoints.ts';
import type { Rehearsal } from '../../../../gateway/contract/parts/rehearsals.ts';
import { ApiError, Proposed } from '../../api/api-error.ts';
import { type Call, call, canRehearse, rehearse, stepUpOf } from '../../api/client.ts';
import { makeAllStale } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { confirmByCode, confirmByPasskey } from '../../api/step-up.ts';
import { Themed } from '../../look/themed.tsx';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';
import { proposalPath } from '../links/paths.ts';
import { problemKind } from '../loading/shown.tsx';
import type { ActButtonProps, ActField, FieldValues } from './act-props.ts';
import { Dialog } from './dialog.tsx';
import { RehearsalShown } from './rehearsal.tsx';
import { showToast } from './toast-list.ts';

type ActDialogProps<Name extends EndpointName> = ActButtonProps<Name> & {
  /** Null while the dialog is closed. */
  readonly idempotencyKey: string | null;
  readonly close: () => void;
};

export function ActDialog<Name extends EndpointName>({ idempotencyKey: key, ...props }: ActDialogProps<Name>) {
  // The component restores the focus only if the dialog was rendered closed first.
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return (
    <Themed>
      <Dialog isOpen={isDrawn && key !== null} close={props.close} title={props.label} isWide={canRehearse(props.act)}>
        {key === null ? null : <ActForm {...props} idempotencyKey={key} />}
      </Dialog>
    </Themed>
  );
}

function ActForm<Name extends EndpointName>(
  props: ActButtonProps<Name> & { readonly idempotencyKey: string; readonly close: () => void },
) {
  const { act, text, fields = [], label, close } = props;
  const words = useWords();
  const stepUp = stepUpOf(act);
  // Most users confirm with a passkey.
  const { way } = useSession();
  const [code, setCode] = useState('');
  const { isBusy, message, submit, rehearsal, preview } = useAct(props);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const request = requestOf(props, event.currentTarget);
    void submit(request, stepUp === false || code === '' ? undefined : code);
  };
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  // Scroll to the preview, which a long form hides.
  useEffect(() => {
    if (rehearsal !== null) shown.current?.scrollIntoView();
  }, [rehearsal]);
  return (
    <form onSubmit={send} ref={form}>
      <Stack>
        <Text size="sm">{text}</Text>
        <SimpleGrid cols={{ base: 1, sm: canRehearse(act) && fields.length > 3 ? 2 : 1 }}>
          {fields.map((field) => (
            <FieldInput key={field.name} field={field} />
          ))}
        </SimpleGrid>
        {props.extra}
        {stepUp === true || stepUp === 'strongest' ? (
          <details open={way === 'password'}>
            <summary className="small muted">{words.useCode}</summary>
            <TextInput
              label={words.code}
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value.trim())}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
            />
          </details>
        ) : null}
        {message === null ? null : (
          <Alert color="red" variant="light" role="alert" title={message.title}>
            <span lang={message.title === undefined ? undefined : 'en'}>{message.text}</span>
          </Alert>
        )}
        {rehearsal === null ? null : (
          <div ref={shown}>
            <RehearsalShown rehearsal={rehearsal.of} />
          </div>
        )}
        {rehearsal === null || rehearsal.of.problem ? null : props.consequences?.(rehearsal.request)}
        <Group justify="flex-end">
          {canRehearse(act) ? (
            <Button
              variant="subtle"
              loading={isBusy}
              onClick={() => form.current?.reportValidity() && void preview(requestOf(props, form.current))}
            >
              {words.rehearsal.preview}
            </Button>
          ) : null}
          <Button variant="default" onClick={close}>
            {words.close}
          </Button>
          <Button type="submit" loading={isBusy}>
            {stepUp === false ? label : code === '' ? words.byPasskey : words.byCode}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function requestOf<Name extends EndpointName>(props: ActButtonProps<Name>, form: HTMLFormElement): Call<Name> {
  const { fields = [], bodyOf } = props;
  const data = new FormData(form);
  const values = valuesOf(fields, data);
  const request = {
    params: props.paramsOf?.(values) ?? props.params,
    query: props.queryOf?.(values) ?? props.query,
    body: bodyOf ? bodyOf(values, data) : fields.length === 0 ? undefined : givenOf(values),
  };
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as Call<Name>;
}

function FieldInput({ field }: { field: ActField }) {
  const { name, label, isRequired = false, isLong = false, placeholder, hint, options, initial = '', type } = field;
  const common = { name, label, required: isRequired, defaultValue: initial, description: hint };
  if (options) return <NativeSelect {...common} data={[...options]} />;
  return isLong ? (
    <Textarea {...common} placeholder={placeholder} autosize minRows={2} maxLength={500} />
  ) : (
    <TextInput {...common} placeholder={placeholder} {...(type ? { type, autoComplete: 'new-password' } : {})} />
  );
}

function valuesOf(fields: readonly ActField[], data: FormData): FieldValues {
  return Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()] as const));
}

function givenOf(values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function useAct<Name extends EndpointName>({
  act,
  label,
  ifMatch,
  idempotencyKey,
  close,
  onDone,
}: ActButtonProps<Name> & { readonly idempotencyKey: string; readonly close: () => void }) {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<Message | null>(null);
  const [rehearsal, setRehearsal] = useState<{ readonly of: Rehearsal; readonly request: Call<Name> } | null>(null);
  const version = ifMatch === undefined ? {} : { ifMatch };
  const perform = async (request: Call<Name>, code: string | undefined) => {
    const needsProof = stepUpOf(act) !== false;
    const proof =
      code === undefined ? await (needsProof ? confirmByPasskey(act, request) : undefined) : confirmByCode(code);
    const headers = {
      ...(proof === undefined ? {} : { stepUp: proof }),
      ...version,
    };
    const answer = await call(act, { ...request, ...headers, idempotencyKey });
    showToast({ text: `${words.states['done']}: ${label}` });
    onDone?.(answer);
    close();
  };
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setMessage(null);
    try {
      await work();
    } catch (error) {
      if (error instanceof Proposed) {
        const link = { to: proposalPath(error.proposalId), text: words.proposals.show };
        showToast({ text: words.proposals.proposed, link });
        close();
      } else setMessage(messageOf(error, words));
    } finally {
      setBusy(false);
    }
  };
  const submit = (request: Call<Name>, code: string | undefined) =>
    attempt(() => perform(request, code)).finally(makeAllStale);
  const preview = (request: Call<Name>) =>
    attempt(async () => setRehearsal({ of: await rehearse(act, { ...request, ...version }), request }));
  return { isBusy, message, submit, rehearsal, preview };
}

/** In other languages, the title summarises the English details. */
interface Message {
  readonly title?: string | undefined;
  readonly text: string;
}

function messageOf(error: unknown, words: Words): Message {
  if (error instanceof ApiError) {
    const { problem } = error;
    return problem ? { title: problemKind(problem, words), text: problem.detail } : { text: words.unknownOutcome };
  }
  if (error instanceof DOMException) return { text: words.passkeyCancelled };
  throw error;
}
