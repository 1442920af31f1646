import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RecorderInput } from '../../../shared/scenario/recorder.ts';
import { ButtonRow } from '../../components/button-row.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import type { RecorderView } from './recorder-view.ts';

type Props = { dialog: RecorderView['dialog']; send: (input: RecorderInput) => void };

/** A question of the recorded site, which waits until it is answered. */
export function SiteDialog({ dialog, send }: Props) {
  const dismiss = () => {
    if (dialog !== null) send({ type: 'answer', accept: false, text: '' });
  };
  return (
    <Dialog open={dialog !== null} title="The page says" onClose={dismiss}>
      {dialog === null ? null : <Question dialog={dialog} send={send} dismiss={dismiss} />}
    </Dialog>
  );
}

type Question = { dialog: NonNullable<Props['dialog']>; send: Props['send']; dismiss: () => void };

function Question({ dialog, send, dismiss }: Question) {
  const [text, setText] = useState(dialog.text);
  return (
    <Form
      style={{ display: 'grid', gap: '1rem' }}
      onSubmit={() => send({ type: 'answer', accept: true, text })}
    >
      <p>{dialog.message}</p>
      {dialog.kind === 'prompt' ? (
        <TextInput
          aria-label="Your answer"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      <ButtonRow>
        <Button type="submit">OK</Button>
        {dialog.kind === 'alert' ? null : (
          <Button variant="default" onClick={dismiss}>
            Cancel
          </Button>
        )}
      </ButtonRow>
    </Form>
  );
}
