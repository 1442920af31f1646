import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { runnersQuery } from '../../api/runners-query.ts';
import { Notice } from '../../components/notice.tsx';

/** Why one stays in the queue: no runner that is connected can take it. */
export function StrandedNotice({ id }: { id: string }) {
  const { data } = useQuery(runnersQuery);
  const labels = data?.stranded.find((each) => each.id === id)?.labels;
  if (labels === undefined) return null;
  const wanted = printLabels(labels);
  return (
    <Notice
      tone="warn"
      title={wanted === '' ? 'Waiting for a runner' : `Waiting for a runner with ${wanted}`}
    >
      <p>
        None is connected. <Link to="/runners">Runners</Link>
      </p>
    </Notice>
  );
}
