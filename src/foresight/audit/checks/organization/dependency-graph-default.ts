import { organizationSetting } from '../../organization-setting.ts';

export const dependencyGraphDefault = organizationSetting({
  id: 'dependency-graph-default',
  severity: 'low',
  title: 'The dependency graph is enabled in new repositories',
  description: 'Without the graph, there are no alerts about vulnerable dependencies.',
  documents: [
    'https://docs.github.com/en/code-security/supply-chain-security/understanding-your-software-supply-chain/configuring-the-dependency-graph',
  ],
  maps: {},
  setting: 'dependency_graph_enabled_for_new_repositories',
  judge: (value) => (value === true ? undefined : { message: 'New repositories have no dependency graph.' }),
  fix: { value: true },
});
