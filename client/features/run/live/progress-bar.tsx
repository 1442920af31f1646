import type { LiveRun } from './live-run.ts';
import classes from './progress-bar.module.css';
import { progressText } from './progress-text.ts';

export function ProgressBar({ run }: { run: LiveRun }) {
  const text = progressText(run);
  const percent = Math.round(run.fraction * 100);
  return (
    <div className={classes.progress}>
      <p className={classes.text}>
        <span data-testid="progress-text">{text}</span>
        <span className={classes.percent}>{percent} %</span>
      </p>
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Progress of the run"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
      >
        <div className={classes.done} style={{ inlineSize: `${run.fraction * 100}%` }} />
      </div>
    </div>
  );
}
