import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { mayCall } from '../../api/identity.ts';
import { annotationQuery } from '../../api/queries.ts';
import { Icon } from '../../components/icon.tsx';
import { AnnotationForm } from './annotation-form.tsx';
import classes from './annotation-section.module.css';
import { NoteText } from './note-text.tsx';
import { isBlank, TitleAndTags } from './written-annotation.tsx';

/** The annotation of a measurement above its result, edited in place. */
export function AnnotationSection({ id }: { id: string }) {
  const { data: annotation } = useQuery(annotationQuery(id));
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) edit.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  return (
    <section aria-label="Title, note, and tags" className={classes.label}>
      {editing && annotation !== undefined ? (
        <AnnotationForm id={id} annotation={annotation} onClose={() => setEditing(false)} />
      ) : (
        <>
          <div className={classes.line}>
            {annotation === undefined ? null : <TitleAndTags annotation={annotation} />}
            {mayCall(measurementEndpoints.changeAnnotation) ? (
              <Button
                ref={edit}
                className={classes.edit}
                variant="subtle"
                size="compact-sm"
                leftSection={<Icon name="pencil" size={14} />}
                onClick={() => setEditing(true)}
              >
                {annotation === undefined || isBlank(annotation) ? 'Add title, note, or tags' : 'Edit'}
              </Button>
            ) : null}
          </div>
          {annotation === undefined || annotation.note === '' ? null : <NoteText text={annotation.note} />}
        </>
      )}
    </section>
  );
}
