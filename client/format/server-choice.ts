import type { FoundServer } from '../../shared/target/server.ts';
import { type ServerName, serverNames } from '../../shared/target/server-options.ts';
import { serverTitles } from '../../shared/target/target-words.ts';

/** Servers as a select offers them. Until it is known what is installed, all can be chosen. */
export function serverChoices(found: readonly FoundServer[] | undefined) {
  return serverNames.map((name) =>
    choiceOf(
      name,
      found?.find((each) => each.name === name),
    ),
  );
}

/** What to do about one that is not there; null where it is. */
export function whatIsMissing(server: FoundServer | undefined): string | null {
  return server === undefined || server.installed ? null : `install ${server.missing.join(' and ')}`;
}

function choiceOf(name: ServerName, server: FoundServer | undefined) {
  const [title, missing] = [serverTitles[name], whatIsMissing(server)];
  if (missing !== null) return { value: name, label: `${title}: ${missing}`, disabled: true };
  const version = server?.version ?? null;
  return { value: name, label: version === null ? title : `${title}, ${version}` };
}
