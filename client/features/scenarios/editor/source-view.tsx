import { Textarea } from '@mantine/core';
import { type Scenario, scenarioSchema } from '../../../../shared/scenario/scenario.ts';
import { Notice } from '../../../components/notice.tsx';
import classes from '../scenarios.module.css';
import type { Messages, ReadDraft } from './draft.ts';

type Props = { text: string; onChange: (text: string) => void; messages: Messages | null };

/** The scenario as JSON, as it is exported and read by the command line. */
export function SourceView({ text, onChange, messages }: Props) {
  const entries = Object.entries(messages ?? {});
  return (
    <div className={classes.editorFacts}>
      <Textarea
        label="Source"
        description="Same as the JSON export. For its schema, see ScenarioInput in the API reference."
        value={text}
        rows={24}
        onChange={(event) => onChange(event.currentTarget.value)}
        classNames={{ input: `code ${classes.editorSource}` }}
        aria-invalid={entries.length > 0}
        spellCheck={false}
      />
      <div aria-live="polite">
        {entries.length === 0 ? null : (
          <Notice tone="bad" title="Not a valid scenario yet">
            <ul className={classes.messages}>
              {entries.map(([path, message]) => (
                <li key={path}>
                  {path === '' ? null : <code>{path}</code>} {message}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </div>
  );
}

export function printSource(scenario: Scenario | null): string {
  const { id: _, ...rest } = scenario ?? { name: '', steps: [] };
  return `${JSON.stringify(rest, null, 2)}\n`;
}

export function readSource(text: string): ReadDraft {
  try {
    const parsed = scenarioSchema.omit({ id: true }).safeParse(JSON.parse(text));
    if (parsed.success) return { scenario: parsed.data, messages: null };
    const messages: Messages = {};
    for (const { path, message } of parsed.error.issues) messages[path.join('.')] ??= message;
    return { scenario: null, messages };
  } catch (error) {
    return { scenario: null, messages: { '': error instanceof Error ? error.message : String(error) } };
  }
}
