import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { mayCall } from '../../api/identity.ts';
import { labelQuery } from '../../api/queries.ts';
import { Icon } from '../../components/icon.tsx';
import { LabelForm } from './label-form.tsx';
import classes from './label-section.module.css';
import { NoteText } from './note-text.tsx';
import { isBlank, TitleAndTags } from './written-label.tsx';

/** The label of a measurement above its result, edited in place. */
export function LabelSection({ id }: { id: string }) {
  const { data: label } = useQuery(labelQuery(id));
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) edit.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  return (
    <section aria-label="Title, note, and tags" className={classes.label}>
      {editing && label !== undefined ? (
        <LabelForm id={id} label={label} onClose={() => setEditing(false)} />
      ) : (
        <>
          <div className={classes.line}>
            {label === undefined ? null : <TitleAndTags label={label} />}
            {mayCall(measurementEndpoints.changeLabel) ? (
              <Button
                ref={edit}
                className={classes.edit}
                variant="subtle"
                size="compact-sm"
                leftSection={<Icon name="pencil" size={14} />}
                onClick={() => setEditing(true)}
              >
                {label === undefined || isBlank(label) ? 'Add title, note, or tags' : 'Edit'}
              </Button>
            ) : null}
          </div>
          {label === undefined || label.note === '' ? null : <NoteText text={label.note} />}
        </>
      )}
    </section>
  );
}
