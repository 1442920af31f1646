import { Button } from '@mantine/core';
import { ButtonRow } from '../components/button-row.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { SwitchLine } from '../components/switch-line.tsx';
import { pageShortcuts } from './read-shortcut.ts';
import classes from './shell.module.css';

type Props = { open: boolean; onClose: () => void; on: boolean; onSwitch: (on: boolean) => void };

/** All shortcuts. They can be turned off, as keys may mean something else to who speaks to the browser. */
export function ShortcutDialog({ open, onClose, on, onSwitch }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <Facts
        facts={[
          ...pageShortcuts.map(({ label, key }) => ({ name: label, value: <Keys keys={['g', key]} /> })),
          { name: 'This list', value: <Keys keys={['?']} /> },
        ]}
      />
      <ButtonRow>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </ButtonRow>
      <SwitchLine label="Use shortcuts" checked={on} onChange={onSwitch} />
    </Dialog>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={classes.keys}>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
