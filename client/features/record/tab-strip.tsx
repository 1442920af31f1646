import type { RecorderInput, RecorderTab } from '../../../shared/scenario/recorder.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './record.module.css';

type Props = { tabs: RecorderTab[]; shown: number; send: (input: RecorderInput) => void };

/** The open pages, when there is more than one to choose from. */
export function TabStrip({ tabs, shown, send }: Props) {
  if (tabs.length < 2) return null;
  return (
    <ul className={classes.strip} aria-label="Tabs of the recorded browser">
      {tabs.map(({ tab, title, url }) => {
        const name = title === '' ? url : title;
        return (
          <li key={tab} className={classes.tab}>
            <button
              type="button"
              aria-pressed={tab === shown}
              onClick={() => send({ type: 'show_tab', tab })}
              className={classes.name}
            >
              {name}
            </button>
            <button
              type="button"
              aria-label={`Close ${name}`}
              onClick={() => send({ type: 'close_tab', tab })}
              className={classes.close}
            >
              <Icon name="cross" size={12} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
