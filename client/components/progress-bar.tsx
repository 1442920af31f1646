import classes from './figure.module.css';

type Props = { label: string; text: string /** 0 to 1 */; fraction: number };

export function ProgressBar({ label, text, fraction }: Props) {
  const percent = Math.round(fraction * 100);
  return (
    <div className={classes.progress}>
      <p className={classes.text}>
        <span data-testid="progress-text">{text}</span>
        <span className={classes.percent}>{percent} %</span>
      </p>
      <div
        className={classes.progressBarTrack}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
      >
        <div className={classes.done} style={{ inlineSize: `${fraction * 100}%` }} />
      </div>
    </div>
  );
}
