import { labelsOf } from '../../../../shared/base/transport.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { serversOf } from '../../../../shared/kinds/comparison/servers-of-sides.ts';
import type { MeasuredServer } from '../../../../shared/target/target.ts';
import { softwareInWords } from '../../../../shared/words/software-in-words.ts';

/** What each server was configured by, listener after listener; null where none was started for the run. */
export function printConfiguration(run: RunDocument): string | null {
  const { baseline, comparison } = labelsOf(run.sides);
  const names = { baseline, comparison, twin: baseline };
  const parts = serversOf(run).map((server) => printServer(server, names));
  return parts.length === 0 ? null : parts.join('\n');
}

function printServer({ files, ...software }: MeasuredServer, names: Record<string, string>): string {
  const head = `# ${softwareInWords(software)}: as measured\n`;
  const parts = files.map(
    ({ arm, name, text }) => `\n# ${name} of the ${arm} listener (${names[arm]})\n\n${text}`,
  );
  return [head, ...parts].join('');
}
