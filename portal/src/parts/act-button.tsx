/**
 * A button that performs one act of the management API: it says what will happen, asks for the reason and, for a dangerous
 * act, for a second proof. One opening of the dialog is one act, however often its button is pressed.
 */
import { Alert, Button, type ButtonProps, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import type { EndpointName } from '../../../gateway/contract/endpoints.ts';
import { type Answer, ApiError, type Call, call, stepUpOf } from '../api/client.ts';
import { makeStale } from '../api/queries.ts';
import { confirmByCode, confirmByPasskey } from '../api/step-up.ts';
import { useWords } from '../words/words.ts';
import { Dialog } from './dialog.tsx';

/** A field of the dialog, by its name in the body. An empty optional field is left out of the body. */
export interface ActField {
  readonly name: string;
  readonly label: string;
  readonly isRequired?: boolean;
  readonly isLong?: boolean;
  readonly placeholder?: string;
}

interface ActButtonProps<Name extends EndpointName> {
  readonly act: Name;
  readonly params: NonNullable<Call<Name>['params']>;
  readonly label: string;
  readonly text: string;
  readonly fields?: readonly ActField[];
  readonly button?: ButtonProps;
  readonly onDone?: (answer: Answer<Name>) => void;
}

export function ActButton<Name extends EndpointName>(props: ActButtonProps<Name>) {
  const [key, setKey] = useState<string | null>(null);
  return (
    <>
      <Button variant="default" size="sm" {...props.button} onClick={() => setKey(crypto.randomUUID())}>
        {props.label}
      </Button>
      <Dialog isOpen={key !== null} close={() => setKey(null)} title={props.label}>
        {key === null ? null : <ActForm {...props} idempotencyKey={key} close={() => setKey(null)} />}
      </Dialog>
    </>
  );
}

function ActForm<Name extends EndpointName>(
  props: ActButtonProps<Name> & { readonly idempotencyKey: string; readonly close: () => void },
) {
  const { act, text, fields = [], label, close } = props;
  const words = useWords();
  const stepUp = stepUpOf(act);
  const [code, setCode] = useState('');
  const { isBusy, message, submit } = useAct(props);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(bodyOf(fields, new FormData(event.currentTarget)), stepUp !== true || code === '' ? undefined : code);
  };
  return (
    <form onSubmit={send}>
      <Stack>
        <Text size="sm">{text}</Text>
        {fields.map((field) => (
          <FieldInput key={field.name} field={field} />
        ))}
        {stepUp === true ? (
          <TextInput
            label={words.code}
            description={words.codeHint}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value.trim())}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
          />
        ) : null}
        {message === null ? null : (
          <Alert color="red" variant="light" role="alert">
            {message}
          </Alert>
        )}
        <Group justify="flex-end">
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

function FieldInput({ field: { name, label, isRequired = false, isLong = false, placeholder } }: { field: ActField }) {
  const common = { name, label, required: isRequired, ...(placeholder === undefined ? {} : { placeholder }) };
  return isLong ? <Textarea {...common} autosize minRows={2} maxLength={500} /> : <TextInput {...common} />;
}

function bodyOf(fields: readonly ActField[], data: FormData): Record<string, string> | undefined {
  if (fields.length === 0) return undefined;
  const entries = fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

function useAct<Name extends EndpointName>({
  act,
  params,
  label,
  idempotencyKey,
  close,
  onDone,
}: ActButtonProps<Name> & { readonly idempotencyKey: string; readonly close: () => void }) {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const perform = async (body: Record<string, string> | undefined, code: string | undefined) => {
    const request = { params, ...(body === undefined ? {} : { body }) } as Call<Name>;
    const needsProof = stepUpOf(act) !== false;
    const proof =
      code === undefined ? await (needsProof ? confirmByPasskey(act, request) : undefined) : confirmByCode(code);
    const answer = await call(act, { ...request, idempotencyKey, ...(proof === undefined ? {} : { stepUp: proof }) });
    notifications.show({ message: label, color: 'petrol', closeButtonProps: { 'aria-label': words.close } });
    onDone?.(answer);
    close();
  };
  const submit = async (body: Record<string, string> | undefined, code: string | undefined) => {
    if (isBusy) return;
    setBusy(true);
    setMessage(null);
    try {
      await perform(body, code);
    } catch (error) {
      setMessage(messageOf(error, words));
    } finally {
      setBusy(false);
      makeStale([
        'payouts.',
        'deposits.',
        'callbacks.',
        'transfers.',
        'balances.',
        'audit.',
        'credentials.',
        'sessions.',
      ]);
    }
  };
  return { isBusy, message, submit };
}

function messageOf(error: unknown, words: { unknownOutcome: string; passkeyCancelled: string }): string {
  if (error instanceof ApiError) return error.problem?.detail ?? words.unknownOutcome;
  if (error instanceof DOMException) return words.passkeyCancelled;
  throw error;
}
