/** Words of seeded names and texts. */

/** Logins and names of the seeded people. The first is the site administrator, who owns every organization. */
export const people = [
  ['admin', 'Site Administrator'],
  ['riverotter', 'River Otter'],
  ['paperfox', 'Paper Fox'],
  ['tealheron', 'Teal Heron'],
  ['marblecat', 'Marble Cat'],
  ['quietowl', 'Quiet Owl'],
  ['amberlynx', 'Amber Lynx'],
  ['copperbee', 'Copper Bee'],
  ['stonewren', 'Stone Wren'],
  ['velvetmole', 'Velvet Mole'],
  ['lunarcrab', 'Lunar Crab'],
  ['mosshare', 'Moss Hare'],
] as const;

/** Apps that push to the fifth organization. */
export const bots = ['dependency-updates', 'release-robot', 'merge-queue'] as const;

/** The first organization of every sandbox is `acme`. */
export const organizationNames = [
  'acme',
  'globex',
  'initech',
  'umbrella',
  'hooli',
  'stark',
  'wayne',
  'wonka',
  'tyrell',
  'cyberdyne',
  'soylent',
  'oceanic',
  'vandelay',
  'dunder',
  'sterling',
  'bluth',
  'gringotts',
  'monarch',
  'weyland',
  'massive',
  'aperture',
  'virtucon',
  'octan',
  'zorg',
] as const;

/** The numbers of topics and kinds are coprime, so each pair occurs once before any is repeated. */
export const topics = [
  'billing',
  'catalog',
  'checkout',
  'console',
  'courier',
  'dashboard',
  'delivery',
  'directory',
  'events',
  'finance',
  'fleet',
  'forecast',
  'identity',
  'inventory',
  'ledger',
  'loyalty',
  'mailer',
  'metrics',
  'mobile',
  'orders',
  'partner',
  'payments',
  'pricing',
  'profile',
  'reports',
  'returns',
  'search',
  'shipping',
  'storefront',
  'support',
  'tracking',
] as const;

export const kinds = [
  'service',
  'api',
  'web',
  'client',
  'worker',
  'tools',
  'library',
  'infra',
  'gateway',
  'schemas',
  'proxy',
  'sdk',
  'agent',
  'tests',
  'docs',
  'config',
  'importer',
] as const;

export const descriptions = [
  'Takes requests from the gateway and answers within 50 ms',
  'Nightly jobs and what they leave behind',
  'Shared building blocks for every team',
  'Runs in all three regions',
  'Being replaced step by step; ask before adding to it',
  'Generated; do not edit by hand',
  'What new colleagues should read first',
] as const;

/** Characters that are two columns wide, and combining ones. */
export const wideDescription = '東京リージョンの請求システム — naïve façade 🚀';

export const languages = ['TypeScript', 'Go', 'Python', 'Ruby', 'Java', 'Rust', 'C#', 'Kotlin'] as const;
export const otherLanguages = ['Shell', 'Dockerfile', 'HTML', 'CSS', 'Makefile'] as const;
export const repositoryTopics = ['internal-tools', 'customer-facing', 'deprecated', 'infrastructure', 'pci'] as const;
