import { useSearchParams } from 'react-router';
import { capitalized } from '../../shared/base/cut.ts';
import type { Arm } from '../../shared/base/transport.ts';
import type { ClaimWord } from '../../shared/studies/figure.ts';
import type { ClaimToday } from '../../shared/studies/read-sizes.ts';
import type { MeasuredServer } from '../../shared/target/target.ts';
import type { IconName } from '../format/icon-paths.ts';
import type { Tone } from '../format/outcome.ts';
import { printWitness } from '../format/server-witness.ts';
import { Badge } from './badge.tsx';
import { Facts, Section } from './card.tsx';
import { AppLink } from './links.tsx';
import { SourceFiles } from './result-head.tsx';

const listeners: Record<Arm, string> = { baseline: 'HTTP', comparison: 'HTTPS', twin: 'twin' };

export function MeasuredServers({ servers }: { servers: readonly MeasuredServer[] }) {
  if (servers.length === 0) return null;
  return (
    <Section id="servers" title={servers.length === 1 ? 'Server' : 'Servers'} card>
      <Facts
        facts={servers.map(({ title, version, tlsLibrary, witness }) => ({
          name: title,
          value: [
            `${version}, ${tlsLibrary ?? 'TLS library not readable'}`,
            ...(witness === null ? [] : [printWitness(witness)]),
          ].join('. '),
        }))}
      />
      <SourceFiles
        files={servers.flatMap(({ title, files }) =>
          files.map(({ arm, name, text }) => ({ name: `${title}, ${listeners[arm]}: ${name}`, text })),
        )}
      />
    </Section>
  );
}

/** A part of the view that lives in the address: what is chosen, and how to choose; the usual choice is left out of it. */
export function useAddress<Value extends string>(
  key: string,
  choices: readonly Value[],
  usual: Value,
): [Value, (value: Value) => void] {
  const [query, setQuery] = useSearchParams();
  const chosen = choices.find((choice) => choice === query.get(key)) ?? usual;
  return [
    chosen,
    (value) => {
      const next = new URLSearchParams(query);
      if (value === usual) next.delete(key);
      else next.set(key, value);
      setQuery(next, { replace: true, preventScrollReset: true });
    },
  ];
}

export function ClaimList({ study, claims }: { study: string; claims: readonly ClaimToday[] }) {
  if (claims.length === 0) return null;
  return (
    <Section id="claims" title={`${study}, today`} lead={<AppLink to="/studies">All studies</AppLink>} card>
      <Facts
        facts={claims.map(({ said, word, today }) => ({
          name: said,
          value: (
            <>
              <ClaimBadge word={word} /> {today}
            </>
          ),
        }))}
      />
    </Section>
  );
}

const looks: Record<ClaimWord, { tone: Tone; icon?: IconName }> = {
  holds: { tone: 'good', icon: 'check' },
  'no longer': { tone: 'warn', icon: 'cross' },
  'not decided': { tone: 'quiet', icon: 'question' },
  'not comparable': { tone: 'quiet' },
  'not measured': { tone: 'quiet' },
};

export function ClaimBadge({ word }: { word: ClaimWord }) {
  return <Badge {...looks[word]}>{capitalized(word)}</Badge>;
}
