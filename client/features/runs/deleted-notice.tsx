import { Link } from 'react-router';
import type { BinOutcome } from '../../../shared/measurement/bin.ts';
import { useActOnBin } from '../../api/use-act-on-bin.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Problems } from '../../components/problems.tsx';
import { printCount } from '../../format/count.ts';
import classes from './runs.module.css';

type Props = { outcome: BinOutcome; onRestored: () => void };

export function DeletedNotice({ outcome: { done, refused }, onRestored }: Props) {
  return (
    <div className={classes.notice}>
      {done.length === 0 ? null : <Deleted ids={done} onRestored={onRestored} />}
      <Problems refused={refused} />
    </div>
  );
}

function Deleted({ ids, onRestored }: { ids: readonly string[]; onRestored: () => void }) {
  const restore = useActOnBin('restoreMeasurements');
  const undo = () =>
    restore.mutate(ids, {
      onSuccess({ refused }) {
        if (refused.length === 0) onRestored();
      },
    });
  return (
    <>
      <Notice tone="quiet" announce="status">
        <p>
          {printCount(ids.length, 'result')} {ids.length === 1 ? 'is' : 'are'} in{' '}
          <Link to="/runs/bin">the bin</Link>.
        </p>
        <ProblemNotice error={restore.error} />
        <div>
          <ActionButton variant="default" size="compact-sm" pending={restore.isPending} onClick={undo}>
            Undo
          </ActionButton>
        </div>
      </Notice>
      <Problems refused={restore.data?.refused ?? []} />
    </>
  );
}
