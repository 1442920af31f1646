import { Button } from '@mantine/core';
import { binDays } from '../../../shared/measurement/bin.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { isOurs } from '../../api/delete-tokens.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ButtonRow } from '../../components/button-row.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { reportProblem, SaveReport } from '../../components/save-report.tsx';
import classes from '../../components/selection-bar.module.css';
import { printCount } from '../../format/count.ts';
import { comparisonOf, deletableOf, type Selection } from './selection.ts';

type Props = {
  selection: Selection;
  onDelete: (ids: readonly string[]) => Promise<unknown>;
  onClear: () => void;
};

/** Actions for the selected results. It stays in view while the list scrolls. */
export function SelectionBar({ selection, onDelete, onClear }: Props) {
  const comparison = comparisonOf(selection);
  const deletable = deletableOf(selection, isOurs);
  const others = selection.size - deletable.length;
  const areOver = [...selection.values()].every(({ state }) => isOver(state));
  const unsaved = reportProblem(selection.size, areOver);
  const hints = [
    ...('problem' in comparison ? [comparison.problem] : []),
    ...(unsaved === null ? [] : [unsaved]),
    ...(deletable.length === 0 ? [deletableHint] : []),
  ];
  return (
    <section aria-label="Selected results" className={classes.bar}>
      <div className={classes.words}>
        <p role="status">
          <strong>{printCount(selection.size, 'result')} selected</strong>
        </p>
        {hints.map((hint) => (
          <p key={hint} className={classes.hint}>
            {hint}
          </p>
        ))}
      </div>
      <ButtonRow>
        {'href' in comparison ? (
          <LinkButton to={comparison.href} variant="filled">
            Compare
          </LinkButton>
        ) : (
          <ActionButton blocked>Compare</ActionButton>
        )}
        <SaveReport ids={[...selection.keys()]} blocked={unsaved !== null} />
        {deletable.length === 0 ? (
          <ActionButton variant="default" blocked>
            Delete
          </ActionButton>
        ) : (
          <DeleteButton
            what={printCount(deletable.length, 'result')}
            action="Delete"
            onDelete={() => onDelete(deletable)}
          >
            {`You can restore them from the bin for ${binDays} days.`}
            {others === 0 ? null : ` The others stay. ${deletableHint}`}
          </DeleteButton>
        )}
        <Button variant="default" onClick={onClear}>
          Clear selection
        </Button>
      </ButtonRow>
    </section>
  );
}

const deletableHint = 'You can delete results once they have ended, in the browser that started them.';
