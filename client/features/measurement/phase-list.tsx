import { Icon } from '../../components/icon.tsx';
import type { PhaseWords } from './kind-view.ts';
import classes from './measurement.module.css';

type Props = { phases: readonly PhaseWords[]; current: string | null };

export function PhaseList({ phases, current }: Props) {
  const reached = phases.findIndex(({ name }) => name === current);
  return (
    <ol className={classes.phases} aria-label="Phases">
      {phases.map((phase, index) => (
        <PhaseItem
          key={phase.name}
          phase={phase}
          state={index < reached ? 'done' : index === reached ? 'now' : 'to come'}
        />
      ))}
    </ol>
  );
}

function PhaseItem({
  phase: { title, text },
  state,
}: {
  phase: PhaseWords;
  state: 'done' | 'now' | 'to come';
}) {
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
      <span className="hidden">{state}</span>
      <p>{text}</p>
    </li>
  );
}
