import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import { useAnnotate } from '../../api/act-on-bin.ts';
import { problemOf } from '../../api/call-endpoint.ts';
import { mayCall } from '../../api/identity.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Icon } from '../../components/card.tsx';
import { LinkItem } from '../../components/links.tsx';
import { TagLinks } from '../../components/tag-links.tsx';
import { describeMeasurement, hasOwnTitle } from '../../format/lines.ts';
import classes from './runs.module.css';

type Props = {
  summary: MeasurementSummary;
  when: string;
  selected: boolean;
  onSelect: () => void;
};

export function ResultLine({ summary, when, selected, onSelect }: Props) {
  const [renaming, setRenaming] = useState(false);
  const rename = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  useEffect(() => {
    if (wasRenaming.current && !renaming) rename.current?.focus();
    wasRenaming.current = renaming;
  }, [renaming]);
  const { title, details, look } = describeMeasurement(summary);
  return (
    <LinkItem
      line={{ href: summary.url, title, detail: [...details, when].join(' · '), look }}
      before={<Checkbox aria-label={`Select ${title}`} checked={selected} onChange={onSelect} />}
      beside={
        mayCall(measurementEndpoints.changeAnnotation) ? (
          <ActionIcon
            ref={rename}
            variant="subtle"
            size="md"
            aria-label={`Rename ${title}`}
            onClick={() => setRenaming(true)}
          >
            <Icon name="pencil" size={14} />
          </ActionIcon>
        ) : null
      }
      {...(renaming && {
        instead: (
          <RenameForm
            id={summary.id}
            title={hasOwnTitle(summary) ? summary.title : ''}
            generatedTitle={summary.generatedTitle}
            onClose={() => setRenaming(false)}
          />
        ),
      })}
      {...(summary.tags.length > 0 && { below: <TagLinks tags={summary.tags} /> })}
    />
  );
}

type FormProps = {
  id: string;
  /** Empty if it has only the generated one. */
  title: string;
  generatedTitle: string;
  onClose: () => void;
};

/** Enter saves, and Escape cancels. An empty title restores the generated one. */
function RenameForm({ id, title, generatedTitle, onClose }: FormProps) {
  const [text, setText] = useState(title);
  const rename = useAnnotate(id);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!rename.isPending) rename.mutate({ title: text }, { onSuccess: onClose });
      }}
    >
      <TextInput
        ref={field}
        aria-label="Title"
        dir="auto"
        onKeyDown={({ key }) => {
          if (key === 'Escape') onClose();
        }}
        value={text}
        placeholder={generatedTitle}
        error={rename.error === null ? null : wordsOf(rename.error)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ActionButton type="submit" pending={rename.isPending}>
        Save
      </ActionButton>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
    </form>
  );
}

function wordsOf(error: Error): string {
  const { fields, detail } = problemOf(error);
  return fields.find(({ field }) => field === 'title')?.message ?? detail;
}
