import { type Options, placeOptions } from '../../base/option.ts';
import { seedOption } from '../../measurement/load-options.ts';
import { linkList, linkNames, linkProfiles } from '../comparison/link-text.ts';

export const distanceTable = {
  links: {
    ...linkList,
    most: 8,
    default: linkNames.map((name) => linkProfiles[name]),
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
