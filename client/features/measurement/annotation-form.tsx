import { Button, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ShownAnnotation } from '../../../shared/measurement/annotation.ts';
import { useAnnotate } from '../../api/use-annotate.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ButtonRow } from '../../components/button-row.tsx';
import { Card } from '../../components/card.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import classes from './annotation-form.module.css';
import { type AnnotationText, annotationText, errorAt, parseAnnotation } from './parse-annotation.ts';

type Props = { id: string; annotation: ShownAnnotation; onClose: () => void };

export function AnnotationForm({ id, annotation, onClose }: Props) {
  const [text, setText] = useState(() => annotationText(annotation));
  const [tried, setTried] = useState(false);
  const save = useAnnotate(id);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const parsed = parseAnnotation(text);
  const errors = tried && 'errors' in parsed ? parsed.errors : [];
  const field = (name: keyof AnnotationText) => ({
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
        <TextInput ref={first} label="Title" placeholder={annotation.generatedTitle} {...field('title')} />
        <TextInput label="Tags" description="Separated by commas" {...field('tags')} />
        <Textarea label="Note" rows={5} {...field('note')} />
        <ProblemNotice error={save.error} />
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
