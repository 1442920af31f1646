import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { problem } from '../../../shared/base/problem.ts';
import type { BinAct } from '../../api/act-on-bin.ts';
import { isOurs } from '../../api/delete-tokens.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ButtonRow } from '../../components/button-row.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';

/** What the browser that started a measurement can do while it is in the bin. The page is then opened as it is for everybody. */
export function BinnedWays() {
  const { pathname } = useLocation();
  const id = /^\/[rl]\/([0-9A-Za-z]{22})(?:\/|$)/.exec(pathname)?.[1];
  const restore = useMutation({ mutationFn: act });
  if (id === undefined || !isOurs(id)) return null;
  return (
    <>
      <ProblemNotice error={restore.error} />
      <ButtonRow>
        <ActionButton pending={restore.isPending} onClick={() => restore.mutate(['restoreMeasurements', id])}>
          Restore
        </ActionButton>
        <DeleteButton
          what="it for good"
          name="Delete for good"
          onDelete={() => act(['removeMeasurements', id])}
        >
          Its figures are removed, and its link says that it was deleted.
        </DeleteButton>
      </ButtonRow>
    </>
  );
}

/** Rejects with the problem that stood against it. */
async function act([name, id]: [BinAct, string]): Promise<void> {
  const { actOnBin } = await import('../../api/act-on-bin.ts');
  const { refused } = await actOnBin(name, [id]);
  const [why] = refused;
  if (why !== undefined) throw problem(why.problem.code, why.problem.detail);
  location.reload();
}
