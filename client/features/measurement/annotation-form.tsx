import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ShownAnnotation } from '../../../shared/measurement/annotation.ts';
import { useAnnotate } from '../../api/use-annotate.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ButtonRow } from '../../components/button-row.tsx';
import { Card } from '../../components/card.tsx';
import { AreaField, TextField } from '../../components/form-fields.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { type AnnotationText, annotationText, errorAt, parseAnnotation } from './parse-annotation.ts';

type Props = { id: string; annotation: ShownAnnotation; onClose: () => void };

export function AnnotationForm({ id, annotation, onClose }: Props) {
  const [text, setText] = useState(() => annotationText(annotation));
  const [tried, setTried] = useState(false);
  const save = useAnnotate(id);
  const parsed = parseAnnotation(text);
  const errors = tried && 'errors' in parsed ? parsed.errors : [];
  const fields = {
    form: text,
    set: (change: Partial<AnnotationText>) => setText((current) => ({ ...current, ...change })),
    messages: (name: string) => errorAt(errors, name),
    dir: 'auto',
    spellCheck: true,
  };
  return (
    <Card>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if ('change' in parsed && !save.isPending) save.mutate(parsed.change, { onSuccess: onClose });
        }}
      >
        <TextField {...fields} name="title" label="Title" placeholder={annotation.generatedTitle} />
        <TextField {...fields} name="tags" label="Tags" description="Separated by commas" />
        <AreaField {...fields} name="note" label="Note" rows={5} />
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
