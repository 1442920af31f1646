import { useEffect, useRef } from 'react';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type { RefusedHost } from '../../../shared/scenario/recorder.ts';
import { describeAction } from '../../format/browser-action.ts';
import { printCount } from '../../format/count.ts';
import classes from './record.module.css';

type Props = { steps: BrowserAction[]; requests: number; refused: RefusedHost[] };

/** What is kept so far; the newest is always in sight. */
export function StepList({ steps, requests, refused }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const newest = steps.length;
  useEffect(() => {
    const element = list.current;
    if (newest > 0) element?.scrollTo({ top: element.scrollHeight });
  }, [newest]);
  return (
    <section aria-labelledby="steps-title" className={classes.steps}>
      <h2 id="steps-title">Steps</h2>
      <p className="soft">
        {printCount(steps.length, 'step')}, {printCount(requests, 'request')}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div ref={list} className={classes.list} role="log" aria-label="Recorded steps" tabIndex={0}>
        <ol>
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the list
            <li key={index}>{describeAction(step)}</li>
          ))}
        </ol>
      </div>
      {refused.length === 0 ? null : (
        <details className={classes.refused}>
          <summary>{printCount(refused.length, 'host')} not reached</summary>
          <ul>
            {refused.map(({ host, count, reason }) => (
              <li key={host}>
                {host} ({count}): {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
