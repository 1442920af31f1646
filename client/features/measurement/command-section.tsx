import { CommandLine } from '../../components/command-line.tsx';
import { Fold } from '../../components/fold.tsx';

/** The same again, from a terminal. */
export function CommandSection({ command }: { command: string }) {
  return (
    <Fold id="command" title="Command" lead="repeats it from a terminal">
      <CommandLine command={command} />
    </Fold>
  );
}
