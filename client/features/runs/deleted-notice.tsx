import { Link } from 'react-router';
import type { BinOutcome } from '../../../shared/bin.ts';
import { useActOnBin } from '../../api/act-on-bin.ts';
import { troubleOf } from '../../api/trouble.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Refusals } from '../../components/refusals.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { printCount } from '../../format/count.ts';
import classes from './deleted-notice.module.css';

type Props = { outcome: BinOutcome; onRestored: () => void };

/** What became of a deletion, and the way back. */
export function DeletedNotice({ outcome: { done, refused }, onRestored }: Props) {
  const restore = useActOnBin('restoreMeasurements');
  return (
    <div className={classes.notice}>
      <Notice tone="quiet" announce="status">
        <p>
          {printCount(done.length, 'result')} {done.length === 1 ? 'is' : 'are'} in{' '}
          <Link to="/runs/bin">the bin</Link>.
        </p>
        {restore.error === null ? null : <TroubleNotice trouble={troubleOf(restore.error)} />}
        {done.length === 0 ? null : (
          <div>
            <ActionButton
              variant="default"
              size="compact-sm"
              pending={restore.isPending}
              onClick={() => restore.mutate(done, { onSuccess: onRestored })}
            >
              Undo
            </ActionButton>
          </div>
        )}
      </Notice>
      <Refusals refused={refused} />
    </div>
  );
}
