import type { Extraction } from '../../../shared/scenario.ts';

/** Where a value comes from, as a part of a sentence. */
export function describeRule(rule: Extraction): string {
  switch (rule.from) {
    case 'header':
      return `from the header ${rule.name}`;
    case 'regex':
      return 'from the body by a pattern';
    case 'json_path':
      return `from ${rule.path} in the JSON`;
    case 'hidden_input':
      return `from the input ${rule.name}`;
  }
}
