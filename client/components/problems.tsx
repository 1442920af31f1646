import type { Problem } from '../../shared/base/problem.ts';
import { Notice } from './notice.tsx';

/** Of several that were asked for at once, why some were refused. */
export function Problems({ refused }: { refused: readonly { id: string; problem: Problem }[] }) {
  if (refused.length === 0) return null;
  return (
    <Notice tone="warn" announce="alert">
      {refused.map(({ id, problem }) => (
        <p key={id}>
          {problem.title}. {problem.detail}
        </p>
      ))}
    </Notice>
  );
}
