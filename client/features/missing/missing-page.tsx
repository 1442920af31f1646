import { Link } from 'react-router';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { mayCall } from '../../api/identity.ts';
import { starting } from '../../api/late-endpoints.ts';
import { problemOf, type ShownProblem } from '../../api/problem-of.ts';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import type { IconName } from '../../format/icon-paths.ts';
import { BinnedWays } from './binned-ways.tsx';
import classes from './missing.module.css';

/**
 * In place of a screen that cannot be shown: gone, unknown, newer, or an error. To someone who was at work on the page, such as
 * by deleting the run, it gives the keyboard back; a freshly opened link starts at its top as every page does.
 */
export function MissingPage({ error }: { error: unknown }) {
  const failure = problemOf(error);
  const code = error instanceof ProblemError ? error.problem.code : null;
  const { icon, more } = (code === null ? undefined : looks[code]) ?? usual;
  return (
    <div className={classes.page}>
      <PageHead
        tab={failure.title}
        title={failure.title}
        takeFocus={navigator.userActivation.hasBeenActive}
        above={
          <span className={classes.icon}>
            <Icon name={icon} size={28} />
          </span>
        }
      >
        <p>{detailOf(failure)}</p>
        {more === undefined ? null : <p>{more}</p>}
        {code === 'run_binned' ? <BinnedWays /> : null}
      </PageHead>
      <ul className={classes.ways}>
        {mayCall(starting) ? (
          <li>
            <Link to="/">Launch a run</Link>
          </li>
        ) : null}
        <li>
          <Link to="/scenarios">All scenarios</Link>
        </li>
        <li>
          <Link to="/runs">All measurements</Link>
        </li>
      </ul>
    </div>
  );
}

export function UnknownPage() {
  return <MissingPage error={problem('not_found', 'TLS Toll has no page at this address.')} />;
}

function detailOf({ detail, advice }: ShownProblem): string {
  return detail.includes(advice) ? detail : `${detail} ${advice}`;
}

type Look = { icon: IconName; more?: string };

const usual: Look = { icon: 'exclamation' };
const looks: Partial<Record<ProblemCode, Look>> = {
  run_deleted: { icon: 'minus', more: 'Its data was deleted too. Only a record that it existed remains.' },
  run_newer: { icon: 'up', more: 'The stored run is intact and opens in the newer version.' },
  run_binned: { icon: 'minus' },
  scenario_deleted: { icon: 'minus' },
  scenario_not_found: { icon: 'question' },
  revision_not_found: { icon: 'question' },
  run_not_found: { icon: 'question' },
  not_found: { icon: 'question' },
};
