import type { Unsupported } from '../../../shared/scenario/import.ts';
import { printCount } from '../../format/printed-figures.ts';
import classes from './scenarios.module.css';

/** More would bury what follows; the command line prints them all. */
const most = 100;

export function UnsupportedList({
  unsupported,
  open = false,
}: {
  unsupported: readonly Unsupported[];
  open?: boolean;
}) {
  if (unsupported.length === 0) return null;
  return (
    <details open={open} className={classes.unsupported}>
      <summary>{printCount(unsupported.length, 'note')} on what was left out or differs</summary>
      <ul className={classes.plain}>
        {unsupported.slice(0, most).map(({ line, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            {line === null ? null : <span className={classes.importedScenarioLine}>{line}</span>} {reason}
          </li>
        ))}
        {unsupported.length > most ? <li>and {unsupported.length - most} more</li> : null}
      </ul>
    </details>
  );
}
