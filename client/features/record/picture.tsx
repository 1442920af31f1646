import { type PointerEvent, useRef } from 'react';
import { Keyboard } from './keyboard.tsx';
import classes from './record.module.css';
import { type Pointing, usePointer } from './use-pointer.ts';

type Props = Pointing & {
  /** A press takes the text below it as a check. */
  picking: boolean;
  onPicked: () => void;
};

/** The recorded page, as far as a person can tell. */
export function Picture({ picking, onPicked, ...pointing }: Props) {
  const { canvas, viewport, send } = pointing;
  const keyboard = useRef<HTMLTextAreaElement>(null);
  const { pulse, at, down, move, up, cancel } = usePointer(pointing);

  function press(event: PointerEvent) {
    keyboard.current?.focus({ preventScroll: true });
    if (!picking) return down(event);
    send({ type: 'add_check', ...at(event) });
    onPicked();
  }

  return (
    <div className={classes.frame} data-picking={picking}>
      <canvas
        ref={canvas}
        role="img"
        aria-label="Recorded page"
        width={viewport.width}
        height={viewport.height}
        className={classes.canvas}
        onPointerDown={press}
        // Else the press itself would take the focus out of the text field.
        onMouseDown={(event) => event.preventDefault()}
        onPointerMove={move}
        onPointerUp={picking ? undefined : up}
        onPointerCancel={cancel}
        onContextMenu={(event) => event.preventDefault()}
      />
      {pulse === null ? null : (
        <span key={pulse.key} className={classes.pulse} style={{ left: pulse.left, top: pulse.top }} />
      )}
      <Keyboard field={keyboard} send={send} />
    </div>
  );
}
