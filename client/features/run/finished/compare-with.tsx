import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { measurementEndpoints } from '../../../../shared/api/measurement-endpoints.ts';
import { idInText } from '../../../../shared/base/id-in-text.ts';
import { changesPath } from '../../../../shared/kinds/comparison/result-changes.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { titleOfDocument } from '../../../../shared/words/targets-of-sides.ts';
import { mayCall } from '../../../api/identity.ts';
import { runsTitledQuery } from '../../../api/queries.ts';
import { ButtonRow } from '../../../components/button-row.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { LinkList } from '../../../components/link-list.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import classes from '../run.module.css';
import { alikeLines } from './alike-runs.ts';

/** Chooses another run to compare with: one of the same scenario and target, or any other by its ID or link. */
export function CompareWith({ document }: { document: ShownRun }) {
  const [open, setOpen] = useState(false);
  if (!mayCall(measurementEndpoints.listMeasurements)) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Compare with…
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Compare with another run">
        <AlikeRuns document={document} />
        <AnyRun id={document.id} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function AlikeRuns({ document }: { document: ShownRun }) {
  const { data: runs, error } = useQuery(runsTitledQuery(titleOfDocument(document)));
  if (error !== null) return <ProblemNotice error={error} />;
  if (runs === undefined) return <Waiting>Loading runs</Waiting>;
  const lines = alikeLines(document, runs);
  if (lines.length === 0) return <p>There is no other run of this scenario on this target yet.</p>;
  return (
    <div className={classes.list}>
      <LinkList label="Runs of this scenario on this target" lines={lines} />
    </div>
  );
}

function AnyRun({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function compare() {
    const other = idInText(text);
    if (other === null) return setProblem('Enter the ID of a run, or its link.');
    if (other === id) return setProblem('This is the run on this page. Enter another one.');
    void navigate(changesPath({ from: other, to: id }));
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        compare();
      }}
    >
      <TextInput
        label="ID or link of another run"
        value={text}
        error={problem}
        maxLength={500}
        spellCheck={false}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <ButtonRow>
        <Button type="button" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit">Compare</Button>
      </ButtonRow>
    </form>
  );
}
