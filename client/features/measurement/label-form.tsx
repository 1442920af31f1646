import { Button, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ShownLabel } from '../../../shared/measurement/label.ts';
import { problemOf } from '../../api/problem-of.ts';
import { useRelabel } from '../../api/use-relabel.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ButtonRow } from '../../components/button-row.tsx';
import { Card } from '../../components/card.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import classes from './label-form.module.css';
import { errorAt, type LabelText, labelText, parseLabel } from './parse-label.ts';

type Props = { id: string; label: ShownLabel; onClose: () => void };

export function LabelForm({ id, label, onClose }: Props) {
  const [text, setText] = useState(() => labelText(label));
  const [tried, setTried] = useState(false);
  const save = useRelabel(id);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const parsed = parseLabel(text);
  const errors = tried && 'errors' in parsed ? parsed.errors : [];
  const field = (name: keyof LabelText) => ({
    dir: 'auto',
    value: text[name],
    error: errorAt(errors, name),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      setText((current) => ({ ...current, [name]: value }));
    },
  });

  return (
    <Card>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if ('change' in parsed && !save.isPending) save.mutate(parsed.change, { onSuccess: onClose });
        }}
      >
        <TextInput ref={first} label="Title" placeholder={label.generatedTitle} {...field('title')} />
        <TextInput label="Tags" description="Separated by commas" {...field('tags')} />
        <Textarea label="Note" rows={5} {...field('note')} />
        {save.error === null ? null : <ProblemNotice problem={problemOf(save.error)} />}
        <ButtonRow>
          <ActionButton type="submit" pending={save.isPending}>
            Save
          </ActionButton>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </form>
    </Card>
  );
}
