import { type Options, placeOptions } from '../../base/option.ts';
import { seedOption } from '../../measurement/load-options.ts';
import { linkNames, linkProfiles, linkWord } from '../comparison/link-text.ts';

export const distanceTable = {
  links: {
    type: 'list',
    item: {
      type: 'text',
      taken: `links: ${linkNames.join(', ')}, 25ms, or 25ms,50mbit,1%,iw20,bbr`,
      print: linkWord,
    },
    most: 8,
    written: 'words',
    // A comma is between two links where one begins: `metro,25ms,50mbit` is two.
    between: /,(?=\s*(?:lan|metro|continent|mobile|[\d.]+\s*ms))\s*|(?<!,)\s+(?!ms|mbit|%|,)/i,
    default: linkNames.map((name) => linkProfiles[name]),
    takes: 'names...',
    label: 'Links',
    help: '`lan`, `metro`, `continent`, `mobile`, a round trip such as `25ms`, or with more, as in `25ms,50mbit,1%,iw20,bbr`',
    usual: 'the four names',
    group: 'Plan',
  },
  rounds: {
    type: 'whole',
    min: 6,
    max: 100,
    default: 12,
    label: 'Rounds',
    help: 'Rounds; each measures every connection on every link',
    hint: 'Each measures every connection on every link.',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

export const distanceOptions = placeOptions(null, distanceTable);
