import { AreaField, TextField } from '../../../components/form-fields.tsx';
import { SwitchLine } from '../../../components/switch-line.tsx';
import classes from '../scenarios.module.css';
import { type Draft, type Messages, messageAt, type SetDraft } from './draft.ts';

type Props = { draft: Draft; set: SetDraft; messages: Messages };

/** What belongs to the scenario as a whole. */
export function FactFields({ draft, set, messages }: Props) {
  const fields = { form: draft, set, messages: (field: string) => messageAt(messages, field) };
  return (
    <div className={classes.editorFacts}>
      <div className={classes.pair}>
        <TextField {...fields} name="name" label="Name" maxLength={100} spellCheck />
        <TextField {...fields} name="description" label="Description" maxLength={1000} spellCheck />
      </div>
      <SwitchLine
        label="Keep cookies"
        detail="Each visitor keeps its cookies for one transaction."
        checked={draft.cookies}
        onChange={(cookies) => set({ cookies })}
      />
      <AreaField
        {...fields}
        name="rows"
        label="Data rows"
        description="CSV or a pasted table: variable names first, then one row per line. Each transaction takes the next row, the same on both sides."
        placeholder={'user,word\nann,lamp\nbob,"table, round"'}
        error={messageAt(messages, 'data')}
        rows={5}
        classNames={{ input: 'code' }}
      />
      <div className={classes.pair}>
        <AreaField
          {...fields}
          name="pages"
          label="Pages for the cache section"
          description="Paths that a browser visits, one per line. Leave empty for every GET step."
          rows={3}
          classNames={{ input: 'code' }}
        />
        <AreaField
          {...fields}
          name="sensitivePaths"
          label="Never cached"
          description="Paths with personal data, one per line."
          rows={3}
          classNames={{ input: 'code' }}
        />
      </div>
    </div>
  );
}
