import { pairOf, transportFacts, transportOf } from '../../../../shared/base/transport.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { MeasuredServer } from '../../../../shared/target/target.ts';

/** What a server was configured by, listener after listener; null where none was started for the run. */
export function printConfiguration({ server, baselineServer, sides }: RunDocument): string | null {
  if (server === null) return null;
  const each = [...(baselineServer === undefined ? [] : [baselineServer]), server];
  return each.map((one) => configurationOf(one, sides)).join('\n');
}

function configurationOf(
  { title, version, tlsLibrary, files }: MeasuredServer,
  sides: RunDocument['sides'],
): string {
  const head = `# ${title} ${version}, ${tlsLibrary ?? 'TLS library unknown'}: as measured\n`;
  const parts = files.map(({ arm, name, text }) => {
    const transport = transportFacts[transportOf(arm, pairOf(sides))].name;
    return `\n# ${name} of the ${arm} listener (${transport})\n\n${text}`;
  });
  return [head, ...parts].join('');
}
