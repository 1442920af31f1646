import type { Extraction } from '../../../shared/scenario/scenario.ts';

/** Where a value comes from, as a part of a sentence. */
export function describeRule(rule: Extraction): string {
  switch (rule.from) {
    case 'header':
      return `from header ${rule.name}`;
    case 'regex':
      return 'from the body by pattern';
    case 'json_path':
      return `from JSON path ${rule.path}`;
    case 'hidden_input':
      return `from form input ${rule.name}`;
  }
}
