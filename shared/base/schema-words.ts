import { config, type core } from 'zod';

/**
 * Our words for whatever a schema refuses without words of its own, as phrases behind the name of a field: `users: must be at most 5000`.
 * Zod asks a schema's own words first.
 */
config({ customError: wordsOf });

type Issue = core.$ZodRawIssue;

function wordsOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'missing' : `must be ${types[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map(String))}`;
    case 'too_big':
    case 'too_small':
      return boundOf(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format': {
      const format = formats[issue.format];
      return format === undefined ? 'has a wrong format' : `must be ${format}`;
    }
    case 'invalid_union':
      return formsOf(issue);
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${issue.keys.join(', ')}`;
    default:
      return 'not valid';
  }
}

function boundOf(issue: Extract<Issue, { code: 'too_big' | 'too_small' }>): string {
  const isMax = issue.code === 'too_big';
  const bound = isMax ? issue.maximum : issue.minimum;
  const unit = units[issue.origin];
  if (unit === undefined) {
    if (issue.inclusive === false) return `must be ${isMax ? 'less' : 'more'} than ${bound}`;
    return `must be at ${isMax ? 'most' : 'least'} ${bound}`;
  }
  return `must have at ${isMax ? 'most' : 'least'} ${bound} ${bound === 1 ? unit : `${unit}s`}`;
}

/** Types that the branches of a union accept, if each accepts one. */
function formsOf(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if (issue.input === undefined) return 'missing';
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
  if (options.length > 0) return `must be ${oneOf(options)}`;
  const asked = (issue.errors ?? []).map(([first]) => /^must be (.*)$/s.exec(first?.message ?? '')?.[1]);
  const forms = [...new Set(asked.filter((form) => form !== undefined))];
  return forms.length === 0 || asked.includes(undefined) ? 'not valid' : `must be ${forms.join(' or ')}`;
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`;
}

const units: Partial<Record<string, string>> = {
  string: 'character',
  array: 'item',
  set: 'item',
  map: 'item',
};

const types: Partial<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false', null: 'null' },
  ...{ array: 'a list', tuple: 'a list', object: 'an object', record: 'an object', nan: 'a number' },
};

const formats: Partial<Record<string, string>> = {
  ...{
    url: 'a URL such as https://127.0.0.1:8443',
    email: 'an email address',
    date: 'a day such as 2026-12-31',
  },
  ...{ datetime: 'a moment such as 2026-12-31T23:59:00Z', base64: 'text in Base64' },
};
