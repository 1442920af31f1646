import type { Target, TargetKind, TargetOf } from './target.ts';
import type { BySide, Scheme } from './transport.ts';

/** What lists, screens, reports and command lines know of a target. */
export type TargetFacts = {
  /** In lists and what they are searched by. */
  name: string;
  /** In a sentence; null where its origins say it best. */
  title: string | null;
  /** Options of the command line that choose it. */
  options: string[];
  /** More of them, for commands that read its process. */
  processOptions: string[];
  /** Whether this program starts it: then it has counters, a twin of its own and the TLS library of this program. */
  own: boolean;
  /** Null until it has been opened. */
  origins: Record<Scheme, string> | null;
};

/** A new kind of target is an entry here, its schema in `target.ts` and its opener in `open-target.ts`. */
const kinds: { [Kind in TargetKind]: { label: string; describe(target: TargetOf<Kind>): TargetFacts } } = {
  storefront: {
    label: 'Built-in storefront',
    describe: ({ kind }) => ({
      name: kind,
      title: 'the built-in storefront',
      options: [],
      processOptions: [],
      own: true,
      origins: null,
    }),
  },
  origins: {
    label: 'Two origins',
    describe: ({ http, https, ca, pid }) => ({
      name: `${http} | ${https}`,
      title: null,
      options: [`--http ${http}`, `--https ${https}`, ...(ca === undefined ? [] : ['--ca ca.pem'])],
      processOptions: pid === undefined ? [] : [`--pid ${pid}`],
      own: false,
      origins: { http, https },
    }),
  },
};

/** As a form offers them. */
export const targetChoices = (Object.keys(kinds) as TargetKind[]).map((kind) => ({
  value: kind,
  label: kinds[kind].label,
}));

export function factsOf(target: Target): TargetFacts {
  const { describe } = kinds[target.kind] as { describe(target: Target): TargetFacts };
  return describe(target);
}

/** Of a run: "the built-in storefront", or the origins of its two sides. */
export function nameInSentence({
  target,
  sides,
}: {
  target: Target;
  sides: BySide<{ origin: string | null }>;
}): string {
  const origins = [sides.baseline.origin, sides.comparison.origin].filter((origin) => origin !== null);
  return factsOf(target).title ?? origins.join(' and ');
}
