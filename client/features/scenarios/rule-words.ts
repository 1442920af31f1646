import type { Extraction } from '../../../shared/scenario.ts';

/** Where a value comes from, as the beginning of a sentence. */
export function describeRule(rule: Extraction): string {
  switch (rule.from) {
    case 'header':
      return `From the header ${rule.name}`;
    case 'regex':
      return 'From the body by a pattern';
    case 'json_path':
      return `From ${rule.path} in the JSON`;
    case 'hidden_input':
      return `From the input ${rule.name}`;
  }
}
