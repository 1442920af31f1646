import { sideNames } from '../../../../shared/base/transport.ts';
import type { DryRunReport, DryRunStep } from '../../../../shared/scenario/dry-run.ts';
import { Badge } from '../../../components/badge.tsx';
import { CheckColumns } from '../../../components/check-columns.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Notice } from '../../../components/notice.tsx';
import { checkColumns } from '../../../format/check-column.ts';
import { type Sides, sidesOf } from '../../../format/side.ts';
import classes from '../scenarios.module.css';
import { SideAnswer } from './side-answer.tsx';

export function DryRunResult({ report: { preflight, steps } }: { report: DryRunReport }) {
  const sides = sidesOf(preflight.sides);
  const checks = sideNames.flatMap((side) => preflight.sides[side].checks);
  const failures = checks.filter(({ status }) => status === 'fail');
  const warnings = checks.filter(({ status }) => status === 'warn');
  return (
    <div className={classes.result} data-testid="dry-run-result">
      {preflight.ok ? (
        <Notice tone="good" title="Both sides can be compared.">
          {warnings.length === 0 ? null : (
            <ul className="plain">
              {warnings.map(({ message }) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          )}
        </Notice>
      ) : (
        <Notice tone="bad" title="A run with this scenario would be refused.">
          <ul className="plain">
            {[...new Set(failures.map(({ message }) => message))].map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ol className="stack plain">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have one name, and none moves here
          <StepResult key={index} step={step} sides={sides} />
        ))}
      </ol>
      <details>
        <summary>All checks</summary>
        <CheckColumns columns={checkColumns(preflight)} />
      </details>
    </div>
  );
}

function StepResult({ step, sides }: { step: DryRunStep; sides: Sides }) {
  const { name, differences, unexplained } = step;
  const { baseline: left, comparison: right } = step.sides;
  const grave = differences.some((difference) => difference.grave);
  const same = left !== null && right !== null && differences.length === 0;
  return (
    <li className={classes.dryRunStep}>
      <div className={classes.dryRunHead}>
        <h3>{name}</h3>
        {same ? (
          <Badge tone="good" icon="equal">
            Same on both sides
          </Badge>
        ) : left === null || right === null ? (
          <Badge tone="warn" icon="minus">
            Not reached on {left === null && right === null ? 'either side' : 'one side'}
          </Badge>
        ) : (
          <Badge tone={grave ? 'bad' : 'note'} icon={grave ? 'cross' : 'info'}>
            {grave ? 'The sides differ' : 'Small differences'}
          </Badge>
        )}
      </div>
      <div className={classes.sides}>
        <SideAnswer side={sides.baseline} answer={left} differences={differences} />
        <SideAnswer side={sides.comparison} answer={right} differences={differences} />
      </div>
      {differences.length === 0 ? null : (
        <ul className={classes.differences} aria-label="Differences">
          {differences.map(({ message, grave }) => (
            <li key={message} data-grave={grave}>
              <Icon name={grave ? 'cross' : 'info'} />
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      {unexplained.length === 0 ? null : (
        <div className={classes.unexplained}>
          <h4>Differs from the recording</h4>
          <ul className="plain">
            {unexplained.map((said) => (
              <li key={said}>{said}</li>
            ))}
          </ul>
        </div>
      )}
    </li>
  );
}
