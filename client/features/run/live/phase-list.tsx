import { type Phase, phases } from '../../../../shared/run.ts';
import { Icon } from '../../../components/icon.tsx';
import classes from './phase-list.module.css';

const words: Record<Phase, { title: string; text: string }> = {
  preflight: { title: 'Preflight', text: 'Both sides are looked at: same application, as planned?' },
  capacity: { title: 'Capacity', text: 'How much the slower side can take.' },
  'warm-up': { title: 'Warm-up', text: 'Until a transaction costs no less with every second.' },
  measuring: { title: 'Measuring', text: 'Blocks of short turns, in random order.' },
  analysing: { title: 'Analysing', text: 'Intervals, noise floor, verdicts.' },
};

export function PhaseList({ current }: { current: Phase | null }) {
  const reached = current === null ? -1 : phases.indexOf(current);
  return (
    <ol className={classes.phases} aria-label="Phases">
      {phases.map((phase, index) => (
        <PhaseItem
          key={phase}
          phase={phase}
          state={index < reached ? 'done' : index === reached ? 'now' : 'to come'}
        />
      ))}
    </ol>
  );
}

function PhaseItem({ phase, state }: { phase: Phase; state: 'done' | 'now' | 'to come' }) {
  const { title, text } = words[phase];
  return (
    <li
      data-state={state}
      aria-current={state === 'now' ? 'step' : undefined}
      data-testid={state === 'now' ? 'phase' : undefined}
    >
      <strong>
        {state === 'done' ? <Icon name="check" /> : null}
        {title}
      </strong>
      <span className={classes.hidden}>{state}</span>
      <p>{text}</p>
    </li>
  );
}
