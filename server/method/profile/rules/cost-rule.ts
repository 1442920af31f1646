import type { CostGroup } from '../../../../shared/kinds/explain/cost-groups.ts';

/**
 * Which group functions belong to: data, with its source. The nearest function of a stack that a rule knows decides, and of several rules
 * the one with the longest name.
 */
export type CostRule = {
  group: RuleGroup;
  /** Whose functions they are. */
  source: 'OpenSSL' | 'BoringSSL' | 'GnuTLS' | 'Go' | 'JDK' | 'V8' | 'Node' | 'libc' | 'kernel';
  /** Everything that they call is theirs too. */
  whole?: true;
  /** One that ends in `*` stands for all names with this beginning. */
  names: readonly string[];
};

/** Arithmetic of handshakes belongs to the key agreement or the signature that calls it. */
export type RuleGroup = CostGroup | 'arithmetic';

/** The names of each group, separated by commas. */
type Groups = Partial<Record<RuleGroup, string>>;

export function rulesOf(source: CostRule['source'], groups: Groups): CostRule[] {
  return Object.entries(groups).map(([group, text]) => ({
    ...{ group: group as RuleGroup, source },
    names: namesIn(text),
  }));
}

/** Of functions that everything they call belongs to as well. */
export function wholeRulesOf(source: CostRule['source'], groups: Groups): CostRule[] {
  return rulesOf(source, groups).map((rule) => ({ ...rule, whole: true }));
}

export function namesIn(text: string): string[] {
  return text.trim().split(/,\s+/);
}
