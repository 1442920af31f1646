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
        detail="Each visitor keeps its cookies for one transaction."
        checked={draft.cookies}
        onChange={(cookies) => set({ cookies })}
      />
      <Textarea
        label="Data rows"
        description="CSV or a pasted table: variable names first, then one row per line. Each transaction takes the next row, the same on both sides."
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
          label="Pages for the cache section"
          description="Paths that a browser visits, one per line. Leave empty for every GET step."
          value={draft.pages}
          error={wrong('pages')}
          rows={3}
          onChange={(event) => set({ pages: event.currentTarget.value })}
          classNames={{ input: classes.code ?? '' }}
          spellCheck={false}
        />
        <Textarea
          label="Never cached"
          description="Paths with personal data, one per line."
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
