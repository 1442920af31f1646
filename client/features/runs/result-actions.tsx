import { binDays } from '../../../shared/measurement/bin.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { isOurs } from '../../api/delete-tokens.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { reportProblems, SaveReport } from '../../components/save-report.tsx';
import { SelectionBar } from '../../components/selection-bar.tsx';
import { printCount } from '../../format/count.ts';
import { comparisonOf, deletableOf, type Selection } from './selection.ts';

type Props = {
  selection: Selection;
  onDelete: (ids: readonly string[]) => Promise<unknown>;
  onClear: () => void;
};

export function ResultActions({ selection, onDelete, onClear }: Props) {
  const comparison = comparisonOf(selection);
  const deletable = deletableOf(selection, isOurs);
  const others = selection.size - deletable.length;
  const areOver = [...selection.values()].every(({ state }) => isOver(state));
  const unsaved = reportProblems(selection.size, areOver);
  const hints = [
    ...('problem' in comparison ? [comparison.problem] : []),
    ...unsaved,
    ...(deletable.length === 0 ? [deletableHint] : []),
  ];
  return (
    <SelectionBar count={selection.size} what="result" hints={hints} onClear={onClear}>
      {'href' in comparison ? (
        <LinkButton to={comparison.href} variant="filled">
          Compare
        </LinkButton>
      ) : (
        <ActionButton blocked>Compare</ActionButton>
      )}
      <SaveReport ids={[...selection.keys()]} blocked={unsaved.length > 0} />
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
    </SelectionBar>
  );
}

const deletableHint = 'You can delete results once they have ended, in the browser that started them.';
