import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './form.module.css';

type Props = { text: string; children: string; onCopied?: () => void };

export function CopyButton({ text, children, onCopied }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = window.setTimeout(() => setState('idle'), 2500);
    return () => window.clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
      onCopied?.();
    } catch {
      setState('refused');
    }
  }
  const words = { idle: children, copied: 'Copied', refused: 'Blocked: copy it manually' };
  return (
    <Button variant="default" size="sm" onClick={copy}>
      <span aria-live="polite">{words[state]}</span>
    </Button>
  );
}

export function CommandLine({ command }: { command: string }) {
  return (
    <div className={classes.command}>
      <code>{command}</code>
      <CopyButton text={command}>Copy command</CopyButton>
    </div>
  );
}
