import { ForgectlCommand } from '../../cli/command/command.ts';
import { SomeFailedError } from '../../cli/errors.ts';
import { namesOf, orgArg } from '../../cli/input/args.ts';
import { fileOrStdin } from '../../cli/input/file-flags.ts';
import { textFlag, valueFlag, writeFlags } from '../../cli/input/flags.ts';
import { readSource } from '../../cli/input/sources.ts';
import { filledText } from '../../cli/input/values.ts';
import { Listing } from '../../cli/result/listing.ts';
import { PlannedRequest } from '../../client/request.ts';
import type { Column } from '../../output/table/columns.ts';
import type { InputOf } from '../../platform/endpoint.ts';
import { mostRepositories, setPropertyValues } from '../../platform/endpoints/properties.ts';
import { invalid } from '../../platform/validate.ts';
import { propertiesArg, propertyValues, repositoryNames } from '../../topics/property-values.ts';

/** The result for a repository. */
interface PropertyChange {
  repository: string;
  /** Counts from 1; all repositories of a batch change together or not at all. */
  batch: number;
  result: 'updated' | 'failed';
}

export default class PropertiesSet extends ForgectlCommand<Listing<PropertyChange>> {
  static override summary = 'Set custom properties of repositories';
  static override description =
    `Sets properties of any number of repositories, in batches of 30 with separate results; if some fail, the exit code is
9. NAME=VALUE sets a value and NAME= unsets the property. For a multi-select property, repeat it (region=eu region=us)
or give JSON (region:=["eu"]). The platform validates names and values.`;
  static override examples = [
    {
      description: 'Set two properties of two repositories',
      command: '<%= config.bin %> properties set acme tier=gold team=web --repos site,identity-client',
    },
    {
      description: 'Preview the request that unsets a property',
      command: '<%= config.bin %> properties set acme team= --repos site --dry-run',
    },
  ];
  static override requests = [setPropertyValues.route];
  static override args = { org: orgArg(), properties: propertiesArg() };
  static override flags = {
    repos: valueFlag('--repos', (text, collector) => namesOf('--repos', filledText(text), collector), {
      helpValue: 'REPO,…',
      description: 'Repositories, as NAME or ORG/NAME; this or --from is required',
    }),
    from: {
      ...textFlag('--from', {
        description: 'File with one repository per line, or - for standard input; this or --repos is required',
      }),
      ...fileOrStdin,
    },
    ...writeFlags,
  };

  protected override readonly columns: readonly Column<PropertyChange>[] = [
    { header: 'Repository', get: 'repository', as: 'name', priority: 1 },
    { header: 'Batch', get: 'batch' },
    { header: 'Result', get: 'result', as: 'state', priority: 1 },
  ];
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'repository';

  async run(): Promise<Listing<PropertyChange> | readonly PlannedRequest[]> {
    const { args, flags } = await this.collect(PropertiesSet);
    const { org, properties } = args;
    const { repos, from } = await this.input.oneOfFlags(['repos', 'from'], flags);
    const values = propertyValues(properties ?? [], this.problems);
    const source = repos?.split(',').map((name) => name.trim()) ?? (await this.namesIn(from));
    const names = repositoryNames(source, org, this.problems);
    const path = { org: this.valid({ org }).org };
    const batches = Array.from({ length: Math.ceil(names.length / mostRepositories) }, (_, index) =>
      names.slice(index * mostRepositories, (index + 1) * mostRepositories),
    );
    const changes: PropertyChange[] = [];
    const planned: PlannedRequest[] = [];
    try {
      for (const [index, repository_names] of batches.entries()) {
        const result = await this.setBatch(path, { repository_names, properties: values }, batches.length);
        if (result instanceof PlannedRequest) planned.push(result);
        else
          changes.push(
            ...repository_names.map((name) => ({ repository: `${path.org}/${name}`, batch: index + 1, result })),
          );
      }
    } catch (error) {
      this.failAfter([...changes, ...planned], error);
    }
    if (planned.length > 0) return planned;
    const failed = changes.filter(({ result }) => result === 'failed').length;
    if (failed > 0)
      this.failure ??= new SomeFailedError(`${failed} of ${changes.length} repositories could not be updated.`);
    return Listing.of(changes);
  }

  private async namesIn(file: string | undefined): Promise<string[]> {
    if (file === undefined || this.problems.length > 0) return [];
    const lines = (await readSource(file, this.runtime.stdin, '--from')).split(/\r?\n/).map((line) => line.trim());
    const names = lines.filter((line) => line !== '' && !line.startsWith('#'));
    if (names.length === 0) this.problems.push(invalid('--from', 'contains no repository'));
    return names;
  }

  /** Rethrows the error of a single batch; with several batches, the rest continue. */
  private async setBatch(
    path: { readonly org: string },
    body: InputOf<typeof setPropertyValues>['body'],
    batches: number,
  ): Promise<PropertyChange['result'] | PlannedRequest> {
    const [first] = body.repository_names;
    const count = body.repository_names.length;
    const done = count === 1 ? `Updated ${path.org}/${first}.` : `Updated ${count} repositories, ${first} first.`;
    const verifyCommand = `forgectl properties values ${path.org} --repository-query ${first}`;
    try {
      const answer = await this.write(setPropertyValues, { path, body }, { verifyCommand, done });
      return answer instanceof PlannedRequest ? answer : 'updated';
    } catch (error) {
      if (batches === 1) throw error;
      this.reportRefusal(error);
      return 'failed';
    }
  }
}
