import type { RefObject } from 'react';
import type { RecorderInput } from '../../../shared/scenario/recorder.ts';
import { keyInput } from './page-input.ts';
import classes from './record.module.css';

type Props = { field: RefObject<HTMLTextAreaElement | null>; send: (input: RecorderInput) => void };

/**
 * A text field that cannot be seen takes the keys of the recorded page: that is what composes letters, takes what is pasted
 * and brings up the keyboard of a phone.
 */
export function Keyboard({ field, send }: Props) {
  return (
    <textarea
      ref={field}
      className={classes.keyboard}
      aria-label="Keyboard of the recorded page. Press Shift+Escape to leave."
      autoCapitalize="off"
      autoComplete="off"
      spellCheck={false}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && event.shiftKey) return event.currentTarget.blur();
        if (event.nativeEvent.isComposing) return;
        const input = keyInput('key_down', event);
        if (input === null) return;
        event.preventDefault();
        send(input);
      }}
      onKeyUp={(event) => {
        const input = event.nativeEvent.isComposing ? null : keyInput('key_up', event);
        if (input !== null) send(input);
      }}
      onInput={(event) => {
        const field = event.currentTarget;
        if ((event.nativeEvent as InputEvent).isComposing) return;
        if (field.value !== '') send({ type: 'text', text: field.value.slice(0, 10_000) });
        field.value = '';
      }}
      onCompositionEnd={(event) => {
        const field = event.currentTarget;
        if (field.value !== '') send({ type: 'text', text: field.value });
        field.value = '';
      }}
    />
  );
}
