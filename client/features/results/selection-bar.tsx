import { Button } from '@mantine/core';
import { ButtonRow } from '../../components/button-row.tsx';
import { reportProblem, SaveReport } from '../../components/save-report.tsx';
import classes from '../../components/selection-bar.module.css';
import { printCount } from '../../format/count.ts';

/** What is done with several questions: of each, its newest run. It stays in view while the list scrolls. */
export function SelectionBar({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  const problem = reportProblem(ids.length, true);
  return (
    <section aria-label="Selected questions" className={classes.bar}>
      <div className={classes.words}>
        <p role="status">
          <strong>{printCount(ids.length, 'question')} selected</strong>
        </p>
        {problem === null ? null : <p className={classes.hint}>{problem}</p>}
      </div>
      <ButtonRow>
        <SaveReport ids={ids} />
        <Button variant="default" onClick={onClear}>
          Clear selection
        </Button>
      </ButtonRow>
    </section>
  );
}
