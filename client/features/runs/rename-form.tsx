import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../../api/problem-of.ts';
import { useAnnotate } from '../../api/use-annotate.ts';
import { ActionButton } from '../../components/action-button.tsx';
import classes from './runs.module.css';

type Props = {
  id: string;
  /** Empty if it has only the generated one. */
  title: string;
  generatedTitle: string;
  onClose: () => void;
};

/** Enter saves, and Escape cancels. An empty title restores the generated one. */
export function RenameForm({ id, title, generatedTitle, onClose }: Props) {
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
