/** Words for goods, their makers and their reviews. Plain ASCII, so that a byte is a character. */

type CategoryWords = { name: string; code: string; summary: string; nouns: readonly string[] };

export const categories: readonly [CategoryWords, ...CategoryWords[]] = [
  {
    name: 'Communications',
    code: 'CO',
    summary: 'Talk across a valley or a desk, and be understood at the first attempt.',
    nouns: ['Radio', 'Handset', 'Headset', 'Pager', 'Intercom', 'Antenna'],
  },
  {
    name: 'Deception',
    code: 'DE',
    summary: 'Hats, coats and spectacles for whoever would rather be somebody else today.',
    nouns: ['Disguise Kit', 'Moustache', 'Spectacles', 'Trench Coat', 'Wig', 'Voice Changer'],
  },
  {
    name: 'Travel',
    code: 'TR',
    summary: 'Bags, maps and compasses that have been dropped from greater heights than yours.',
    nouns: ['Suitcase', 'Compass', 'Map Case', 'Rucksack', 'Passport Holder', 'Travel Lamp'],
  },
  {
    name: 'Protection',
    code: 'PR',
    summary: 'Gloves, locks and helmets, each tested by someone who was paid to be careless.',
    nouns: ['Umbrella', 'Gloves', 'Helmet', 'Padlock', 'Safe', 'Alarm'],
  },
  {
    name: 'Novelties',
    code: 'NO',
    summary: 'Nothing that harms: water, paint and noise for the garden and the office.',
    nouns: ['Water Pistol', 'Paint Ball Set', 'Confetti Cannon', 'Slingshot', 'Smoke Candle', 'Whistle'],
  },
  {
    name: 'Tools',
    code: 'TO',
    summary: 'Knives, pens and torches that do one thing well and three more nearly as well.',
    nouns: ['Pocket Knife', 'Torch', 'Pen', 'Screwdriver Set', 'Wrench', 'Tape Measure'],
  },
  {
    name: 'Cameras',
    code: 'CA',
    summary: 'From the size of a loaf to the size of a crumb, with film or without.',
    nouns: ['Camera', 'Lens', 'Tripod', 'Flash', 'Binoculars', 'Camera Bag'],
  },
  {
    name: 'Watches',
    code: 'WA',
    summary: 'Wrist and pocket watches that keep time, and some that keep secrets.',
    nouns: ['Wrist Watch', 'Stopwatch', 'Pocket Watch', 'Alarm Clock', 'Watch Strap', 'Dive Watch'],
  },
  {
    name: 'Boats',
    code: 'BO',
    summary: 'Whatever floats, folds or can be rowed away from an embarrassing party.',
    nouns: ['Kayak', 'Life Jacket', 'Folding Boat', 'Paddle', 'Diving Mask', 'Anchor'],
  },
  {
    name: 'Office',
    code: 'OF',
    summary: 'Paper, ink and furniture for reports that burn well after they have been read.',
    nouns: ['Shredder', 'Desk Lamp', 'Notebook', 'Typewriter', 'Filing Box', 'Ink Set'],
  },
  {
    name: 'Kitchen',
    code: 'KI',
    summary: 'A good meal is the better half of a long evening spent waiting.',
    nouns: ['Coffee Maker', 'Kettle', 'Flask', 'Toaster', 'Chef Knife', 'Spice Rack'],
  },
  {
    name: 'Garden',
    code: 'GA',
    summary: 'Hedges, hoses and benches, for looking harmless in front of a house.',
    nouns: ['Hedge Trimmer', 'Watering Can', 'Bench', 'Lawn Mower', 'Bird House', 'Garden Hose'],
  },
];

export const manufacturers = [
  'Aldgate',
  'Bramble and Sons',
  'Corvid',
  'Dunmore',
  'Eastlake',
  'Fennimore',
  'Greyfriars',
  'Halcyon',
  'Ironbridge',
  'Juniper',
  'Kestrel',
  'Lodestar',
  'Merrow',
  'Northgate',
];

export const traits = [
  { name: 'Pocket', promise: 'is small enough to forget and good enough to look for again' },
  { name: 'Silent', promise: 'makes less noise than the person who carries it' },
  { name: 'Folding', promise: 'opens in four seconds and closes in three' },
  { name: 'Compact', promise: 'leaves room in the bag for sandwiches' },
  { name: 'Night', promise: 'is at its best after dark and merely good by day' },
  { name: 'Expedition', promise: 'has come back from every journey, twice without its owner' },
  { name: 'Classic', promise: 'looks as it did forty years ago and works rather better' },
  { name: 'Waterproof', promise: 'stays dry inside down to thirty metres' },
  { name: 'Professional', promise: 'is built for daily use and priced for those who know' },
  { name: 'Featherweight', promise: 'weighs less than the box that it comes in' },
  { name: 'Magnetic', promise: 'stays where it is put, unless that is aluminium' },
  { name: 'Solar', promise: 'needs an hour of daylight for a week of use' },
];

export const uses = [
  'long train journeys',
  'short notice',
  'rain',
  'quiet evenings at home',
  'crowded stations',
  'first aid courses',
  'picnics',
  'night shifts',
  'mountain huts',
  'small boats',
  'large families',
  'presents',
];

export const remarks = [
  'Comes with a cloth pouch, a spare battery and a printed manual in six languages',
  'The case is brushed steel; the handle is oiled beech that darkens with use',
  'All wearing parts can be replaced with a coin and a little patience',
  'Our workshop has repaired four of them in ten years, and three had been run over',
  'Two years of guarantee, and spare parts for ten years more',
  'The finish resists salt water, coffee and most kinds of curiosity',
  'A second one is sold at half the price to whoever keeps the first receipt',
  'Colour may differ from the picture, which was taken on a cloudy day',
  'Delivered in plain brown paper within three working days',
  'Charges from any socket and from most lighthouses',
];

export const reviewers = [
  'A. Okafor',
  'B. Lindqvist',
  'C. Moreau',
  'D. Tanaka',
  'E. Petrov',
  'F. Silva',
  'G. Novak',
  'H. Byrne',
  'I. Rossi',
  'J. Haddad',
];

export const headlines = [
  'Does what it says',
  'Better than my old one',
  'A little heavy, but honest',
  'Bought a second for my sister',
  'Arrived early',
  'Not for beginners',
  'Worth the money',
  'Survived the dog',
];

export const opinions = [
  'I have used it every day for a month and have nothing to complain about.',
  'The manual is short and, for once, right.',
  'It is smaller than it looks in the picture, which suits me well.',
  'One screw was loose on arrival; the shop sent a new one within two days.',
  'My neighbour asked where I got it, and now he has one too.',
  'It could be quieter, but then I would not know that it works.',
  'After a week in the rain it still looks like new.',
  'I would buy it again, and probably will.',
];
