import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RecorderInput, RecorderTab } from '../../../shared/scenario/recorder.ts';
import { Form } from '../../components/form.tsx';
import classes from './record.module.css';

type Props = { tab: RecorderTab | undefined; send: (input: RecorderInput) => void };

const moves = [
  { type: 'back', label: 'Back' },
  { type: 'forward', label: 'Forward' },
  { type: 'reload', label: 'Reload' },
] as const;

export function AddressBar({ tab, send }: Props) {
  /** Null while nobody writes into it: then it shows where the page is. */
  const [typed, setTyped] = useState<string | null>(null);
  const url = tab?.url === 'about:blank' ? '' : (tab?.url ?? '');
  return (
    <Form
      className={classes.bar}
      onSubmit={() => {
        const address = (typed ?? url).trim();
        if (address !== '') send({ type: 'open', url: address });
        setTyped(null);
      }}
    >
      <div className={classes.moves}>
        {moves.map(({ type, label }) => (
          <Button key={type} variant="default" size="sm" onClick={() => send({ type })}>
            {label}
          </Button>
        ))}
      </div>
      <TextInput
        aria-label="Address of the recorded page"
        className={classes.address ?? ''}
        value={typed ?? url}
        maxLength={8000}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <span className={classes.state} role="status">
        {tab?.loading === true ? 'Loading …' : ''}
      </span>
    </Form>
  );
}
