import { Textarea, TextInput } from '@mantine/core';
import { SwitchLine } from '../../../components/switch-line.tsx';
import { type Draft, type Messages, messageAt, type SetDraft } from './draft.ts';
import classes from './editor.module.css';

type Props = { draft: Draft; set: SetDraft; messages: Messages };

/** What belongs to the scenario as a whole. */
export function FactFields({ draft, set, messages }: Props) {
  const wrong = (field: string) => messageAt(messages, field);
  return (
    <div className={classes.facts}>
      <div className={classes.pair}>
        <TextInput
          label="Name"
          value={draft.name}
          error={wrong('name')}
          maxLength={100}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Description"
          value={draft.description}
          error={wrong('description')}
          maxLength={1000}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
      </div>
      <SwitchLine
        label="Keep cookies"
        detail="Each visitor keeps what it is given, for as long as a transaction."
        checked={draft.cookies}
        onChange={(cookies) => set({ cookies })}
      />
      <Textarea
        label="Data rows"
        description="Comma-separated values, pasted from a table: the names of the variables first, then a row a line. Each transaction takes the next row, the same on both sides."
        placeholder={'user,word\nann,lamp\nbob,"table, round"'}
        value={draft.rows}
        error={wrong('data')}
        rows={5}
        onChange={(event) => set({ rows: event.currentTarget.value })}
        classNames={{ input: classes.code ?? '' }}
        spellCheck={false}
      />
      <div className={classes.pair}>
        <Textarea
          label="Pages of the cache section"
          description="Paths that a browser visits, one a line. Empty: every GET step."
          value={draft.pages}
          error={wrong('pages')}
          rows={3}
          onChange={(event) => set({ pages: event.currentTarget.value })}
          classNames={{ input: classes.code ?? '' }}
          spellCheck={false}
        />
        <Textarea
          label="Never from a cache"
          description="Paths with somebody’s own data, one a line."
          value={draft.sensitivePaths}
          error={wrong('sensitivePaths')}
          rows={3}
          onChange={(event) => set({ sensitivePaths: event.currentTarget.value })}
          classNames={{ input: classes.code ?? '' }}
          spellCheck={false}
        />
      </div>
    </div>
  );
}
