import type { RunDocument } from '../../../../shared/run.ts';
import classes from './contents.module.css';
import { hasParts, hasSteps } from './what-is-there.ts';

type Props = { document: RunDocument; measured: boolean };

/** Links to the sections that this document has. */
export function Contents({ document, measured }: Props) {
  const entries: [string, string, boolean][] = [
    ['fairness', 'Fairness', document.fairness !== null],
    ['metrics', 'Metrics', measured],
    ['charts', 'Charts', measured],
    ['parts', 'Parts', hasParts(document)],
    ['steps', 'Steps', hasSteps(document)],
    ['cache', 'Cache', true],
    ['errors', 'Errors', true],
    ['server', 'Server', document.server !== null],
    ['method', 'Method', true],
    ['share', 'Share', true],
  ];
  return (
    <nav aria-label="On this page" className={classes.contents}>
      {entries.map(([id, title, there]) =>
        there ? (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ) : null,
      )}
    </nav>
  );
}
