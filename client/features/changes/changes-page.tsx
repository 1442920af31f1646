import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router';
import { problem } from '../../../shared/base/problem.ts';
import { type ResultPair, resultPairSchema } from '../../../shared/kinds/comparison/result-changes.ts';
import { changesQuery } from '../../api/result-queries.ts';
import { Waiting } from '../../components/waiting.tsx';
import { ChangedResults } from './changed-results.tsx';

/** Compares the two results in its address. Throws a problem if they cannot be compared. */
export default function ChangesPage() {
  const { pair = '' } = useParams();
  const { data: ids } = resultPairSchema.safeParse(pair);
  if (ids === undefined) {
    throw problem('not_found', 'The address of a comparison ends with two IDs, separated by two dots.');
  }
  return <Changes key={pair} pair={ids} />;
}

function Changes({ pair }: { pair: ResultPair }) {
  const { data: changes } = useQuery({ ...changesQuery(pair), throwOnError: true });
  if (changes === undefined) return <Waiting>Comparing the results</Waiting>;
  if ('url' in changes) return <Navigate to={changes.url} replace />;
  return <ChangedResults changes={changes} />;
}
