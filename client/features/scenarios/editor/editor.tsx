import { useState } from 'react';
import type { StoredScenario } from '../../../../shared/scenario/stored-scenario.ts';
import { Badge } from '../../../components/badge.tsx';
import { Card } from '../../../components/card.tsx';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { printWhen } from '../../../format/when.ts';
import { DryRunSection } from '../dry-run/dry-run-section.tsx';
import { UnsupportedList } from '../import/unsupported-list.tsx';
import { VisitsSection } from '../visits/visits-section.tsx';
import { draftOf, emptyDraft, type Messages, readDraft, type SetDraft } from './draft.ts';
import { EditorActions } from './editor-actions.tsx';
import { FactFields } from './fact-fields.tsx';
import { KeepSection } from './keep-section.tsx';
import { printSource, readSource, SourceView } from './source-view.tsx';
import { StepList } from './step-list.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

/** @param stored null for a scenario that is still to be written */
export function Editor({ stored }: { stored: StoredScenario | null }) {
  /** As it was saved last. */
  const [start, setStart] = useState(() => (stored === null ? emptyDraft() : draftOf(stored.scenario)));
  const [draft, setDraft] = useState(start);
  /** The text of the source view; null while the fields are shown. */
  const [source, setSource] = useState<string | null>(null);
  const [serverMessages, setServerMessages] = useState<Messages | null>(null);
  const read = source === null ? readDraft(draft) : readSource(source);
  const touched = draft !== start || (source !== null && source !== printSource(stored?.scenario ?? null));
  // Of a form that nobody has typed in yet, nothing is wrong.
  const messages = touched ? { ...serverMessages, ...read.messages } : {};
  useLeaveGuard(touched);

  const set: SetDraft = (change) => {
    setDraft((current) => ({ ...current, ...change }));
    setServerMessages(null);
  };
  function markSaved(saved: StoredScenario) {
    const next = source === null ? draft : draftOf(saved.scenario);
    setDraft(next);
    setStart(next);
    if (source !== null) setSource(printSource(saved.scenario));
  }
  function showSource(shown: boolean) {
    if (shown) setSource(printSource(readDraft(draft).scenario ?? stored?.scenario ?? null));
    else if (read.scenario !== null) {
      if (source !== printSource(readDraft(draft).scenario)) setDraft(draftOf(read.scenario));
      setSource(null);
    }
  }

  return (
    <>
      <PageHead
        tab={stored?.scenario.name ?? 'New scenario'}
        title={stored?.scenario.name ?? 'New scenario'}
        above={stored === null ? null : <Standing stored={stored} touched={touched} />}
      >
        {stored === null || stored.scenario.description === '' ? null : <p>{stored.scenario.description}</p>}
      </PageHead>
      <div className="stack wide">
        <EditorActions
          stored={stored}
          scenario={read.scenario}
          touched={touched}
          onProblem={setServerMessages}
          onSaved={markSaved}
        />
        <UnsupportedList unsupported={stored?.unsupported ?? []} />
        <ChoicePills
          legend="View"
          name="view"
          value={source === null ? 'steps' : 'source'}
          choices={[
            { value: 'steps', label: 'Steps' },
            { value: 'source', label: 'Source' },
          ]}
          onChange={(view) => showSource(view === 'source')}
        />
        {source === null ? (
          <>
            <StepList draft={draft} set={set} messages={messages} />
            <Card>
              <FactFields draft={draft} set={set} messages={messages} />
            </Card>
          </>
        ) : (
          <SourceView text={source} onChange={setSource} messages={read.messages} />
        )}
      </div>
      <DryRunSection scenario={read.scenario} site={stored?.site ?? null} />
      {stored === null || stored.actions.length === 0 ? null : <VisitsSection stored={stored} />}
      {stored === null ? null : <KeepSection stored={stored} touched={touched} />}
    </>
  );
}

function Standing({ stored: { revision }, touched }: { stored: StoredScenario; touched: boolean }) {
  const standing =
    revision === null ? 'Built in' : `Revision ${revision.number}, ${printWhen(revision.createdAt)}`;
  return (
    <span className="row">
      <Badge tone="quiet">{standing}</Badge>
      {touched ? <Badge tone="warn">Unsaved changes</Badge> : null}
    </span>
  );
}
