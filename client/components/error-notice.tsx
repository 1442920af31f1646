import { problemOf } from '../api/problem-of.ts';
import { ProblemNotice } from './problem-notice.tsx';

/** What went wrong and what to try; nothing while nothing has. */
export function ErrorNotice({ error }: { error: Error | null }) {
  return error === null ? null : <ProblemNotice problem={problemOf(error)} />;
}
