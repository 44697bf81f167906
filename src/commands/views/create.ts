import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, invalidArgument } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, valueFlag, writeFlags } from '../../cli/input/flags.ts';
import { plainName } from '../../cli/input/values.ts';
import { PlannedRequest } from '../../client/request.ts';
import type { Column } from '../../output/table/columns.ts';
import { createOrganizationView, viewIn } from '../../platform/endpoints/views.ts';
import type { ProjectView } from '../../platform/records.ts';
import { projectViews } from '../../platform/resources/views.ts';

export default class ViewsCreate extends ForgectlCommand<ProjectView> {
  static override summary = 'Create a view in a project';
  static override description =
    `Creates a view in a project of an organization or user. Fields are given by ID. Projects of users require a classic or
OAuth token.`;
  static override examples = examples({
    'Create a board of open bugs with columns by field 3':
      'forgectl views create 1 --org acme --name Bugs --layout board --filter "is:open label:bug" --vertical-group-by 3',
    'Create a table sorted by field 4 (descending), then field 1':
      'forgectl views create 1 --user 1 --name Latest --layout table --sort-by 4:desc,1:asc',
  });
  static override requests = projectViews.routes('create');
  static override args = { project_number: idArg('PROJECT_NUMBER', 'Project number') };
  static override flags = {
    org: valueFlag('--org', plainName, {
      helpValue: 'ORG',
      question: 'Organization that owns the project',
      description: 'Organization that owns the project; this or --user is required',
    }),
    user: valueFlag('--user', plainName, {
      helpValue: 'USER_ID',
      question: 'ID of the user who owns the project',
      description: 'ID of the user who owns the project; this or --org is required',
    }),
    ...fieldFlags(createOrganizationView.body.entries),
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly columns: readonly Column<ProjectView>[] = [
    { header: 'ID', get: 'id' },
    { header: 'Number', get: 'number' },
    { header: 'Name', get: 'name' },
    { header: 'Layout', get: 'layout' },
    { header: 'Filter', get: 'filter' },
    { header: 'Visible fields', get: 'visible_fields' },
    { header: 'Sort by', get: ({ sort_by }) => sort_by?.map((fieldAndDirection) => fieldAndDirection.join(':')) },
    { header: 'Group by', get: 'group_by' },
    { header: 'Columns by', get: 'vertical_group_by' },
    { header: 'Creator', get: 'creator.login' },
    { header: 'Created', get: 'created_at', as: 'age' },
    { header: 'Page', get: 'html_url' },
  ];

  protected override readonly idField = 'id';

  protected override readonly made = ({ number, name, html_url }: ProjectView) =>
    `Created view ${number} “${name}”: ${html_url}`;

  async run() {
    const { args, flags } = await this.collect(ViewsCreate);
    const { 'sort-by': sortBy } = flags;
    const { org, user: user_id } = await this.input.oneOfFlags(['org', 'user'], flags);
    const given = sortBy === undefined ? flags : { ...flags, 'sort-by': sortByAsJson(String(sortBy)) };
    const { body } = await this.inputFor(createOrganizationView, given, { resource: projectViews });
    const { project_number } = this.valid(args);
    const owner = user_id === undefined ? this.valid({ org: org ?? invalidArgument }) : { user_id };
    const ownerPath = user_id === undefined ? `/orgs/${org}` : `/users/${user_id}`;
    const verifyCommand = `forgectl api GET ${ownerPath}/projectsV2/${project_number}`;
    const input = { path: { ...owner, project_number }, body };
    const answer = await this.write(projectViews.of(owner).create, input, { verifyCommand });
    return answer instanceof PlannedRequest ? answer : viewIn(answer);
  }
}

/** Parses `12:asc,15:desc` to the platform's form, `[[12,"asc"],[15,"desc"]]`; leaves other text to the JSON parser. */
function sortByAsJson(text: string): string {
  if (!/^\d+:\w+(,\d+:\w+)*$/.test(text)) return text;
  return JSON.stringify(text.split(',').map((pair) => [Number.parseInt(pair, 10), pair.split(':')[1]]));
}
