import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { addressOf } from '../../../shared/api/call-endpoint.ts';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { mostResults, reportEndpoints } from '../../../shared/api/question-endpoints.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import { mayCall } from '../../api/identity.ts';
import { problemOf } from '../../api/late-call.ts';
import { useAnnotate } from '../../api/result-mutations.ts';
import { ActionButton, ButtonRow } from '../../components/action-button.tsx';
import { Icon } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { LinkItem, TagLinks } from '../../components/links.tsx';
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

export function SaveReport({ ids, blocked = false }: { ids: readonly string[]; blocked?: boolean }) {
  const [asking, setAsking] = useState(false);
  const [title, setTitle] = useState('');
  const isTooMany = ids.length > mostResults;
  return (
    <>
      <ActionButton
        variant="default"
        blocked={blocked || isTooMany || ids.length === 0}
        onClick={() => setAsking(true)}
      >
        Download as one file
      </ActionButton>
      <Dialog open={asking} onClose={() => setAsking(false)} title="Download as one file">
        <TextInput
          label="Title"
          description="On the first page, above the list of results."
          placeholder="Measured with TLS Toll"
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <ButtonRow>
          <Button
            component="a"
            variant="filled"
            href={addressOf(reportEndpoints.saveReport, {
              query: { ids: ids.join(','), title: title.trim() },
            })}
            download
            onClick={() => setAsking(false)}
          >
            Download
          </Button>
          <Button variant="default" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </ButtonRow>
      </Dialog>
    </>
  );
}

/** Why these cannot be saved as one file; empty where they can. */
export function reportProblems(count: number, areOver = true): string[] {
  if (count > mostResults) return [`One file holds at most ${mostResults} results.`];
  return areOver ? [] : ['Only results that have ended can be saved as a file.'];
}
