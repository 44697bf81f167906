import { ForgectlCommand } from '../../cli/command/command.ts';
import { SomeFailedError, ValidationError } from '../../cli/errors.ts';
import { namesOf, orgArg } from '../../cli/input/args.ts';
import { fileOrStdin } from '../../cli/input/file-flags.ts';
import { textFlag, valueFlag, writeFlags } from '../../cli/input/flags.ts';
import { readSource } from '../../cli/input/sources.ts';
import { filledText } from '../../cli/input/values.ts';
import { Listing } from '../../cli/result/listing.ts';
import { ApiError, NotFoundError } from '../../client/errors.ts';
import { PlannedRequest } from '../../client/request.ts';
import type { Column } from '../../output/table/columns.ts';
import { propertyProblem } from '../../platform/custom-properties.ts';
import type { InputOf } from '../../platform/endpoint.ts';
import { listProperties, mostRepositories, setPropertyValues } from '../../platform/endpoints/properties.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import type { CustomProperty, PropertyValue } from '../../platform/records.ts';
import { didYouMean } from '../../platform/suggest.ts';
import { invalid, type Problem } from '../../platform/validate.ts';
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
or give JSON (region:=["eu"]). Names ignore case; names and values are compared with “properties list” before
anything is changed. A repository that does not exist fails alone.`;
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
  static override requests = [listProperties.route, setPropertyValues.route];
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
    const typed = propertyValues(properties ?? [], this.problems);
    const source = repos?.split(',').map((name) => name.trim()) ?? (await this.namesIn(from));
    const names = repositoryNames(source, org, this.problems);
    const path = { org: this.valid({ org }).org };
    const values = this.#checked(typed, await this.call(listProperties, { path }), path.org);
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
            ...repository_names.map(
              (name): PropertyChange => ({
                repository: `${path.org}/${name}`,
                batch: index + 1,
                result: result.has(name) ? 'updated' : 'failed',
              }),
            ),
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

  /** Returns values with the names of their definitions. Throws ValidationError for those that the platform refuses. */
  #checked(typed: readonly PropertyValue[], defined: readonly CustomProperty[], org: string): PropertyValue[] {
    const problems: Problem[] = [];
    const byName = new Map(defined.map((each) => [String(each?.property_name).toLowerCase(), each]));
    const values = typed.map(({ property_name: name, value: given }): PropertyValue => {
      const definition = byName.get(name.toLowerCase());
      const value = definition?.value_type === 'multi_select' && typeof given === 'string' ? [given] : given;
      // Without a value of its own, a repository has the default of a required property.
      const problem = definition
        ? propertyProblem({ ...definition, required: false }, value)
        : `is not a custom property of ${org}${didYouMean(name, [...byName.keys()])}`;
      if (problem !== undefined) problems.push(invalid(name, problem));
      return { property_name: definition?.property_name ?? name, value };
    });
    if (problems.length) throw new ValidationError(problems, `List them with “forgectl properties list ${org}”.`);
    return values;
  }

  /**
   * Returns the repositories of a batch that were updated: those that do not exist are left out. Rethrows the error of a
   * single batch; with several batches, the rest continue.
   */
  private async setBatch(
    path: { readonly org: string },
    body: Body,
    batches: number,
  ): Promise<ReadonlySet<string> | PlannedRequest> {
    try {
      return await this.#send(path, body);
    } catch (error) {
      const mayMiss = error instanceof ApiError && [404, 422].includes(error.refusal.status);
      const missing = mayMiss ? await this.#missing(path.org, body.repository_names) : [];
      const repository_names = body.repository_names.filter((name) => !missing.includes(name));
      if (missing.length === 0 || repository_names.length === 0) {
        if (batches === 1) throw error;
        this.reportRefusal(error);
        return new Set();
      }
      this.notice(`Not found: ${missing.map((name) => `${path.org}/${name}`).join(', ')}.`);
      return this.setBatch(path, { ...body, repository_names }, batches);
    }
  }

  async #send(path: { readonly org: string }, body: Body): Promise<ReadonlySet<string> | PlannedRequest> {
    const [first] = body.repository_names;
    const count = body.repository_names.length;
    const done = count === 1 ? `Updated ${path.org}/${first}.` : `Updated ${count} repositories, ${first} first.`;
    const verifyCommand = `forgectl properties values ${path.org} --repository-query ${first}`;
    const answer = await this.write(setPropertyValues, { path, body }, { verifyCommand, done });
    return answer instanceof PlannedRequest ? answer : new Set(body.repository_names);
  }

  /** Returns the repositories that do not exist, after a batch that the platform refused as a whole. */
  async #missing(owner: string, names: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (const repo of names)
      try {
        await this.call(getRepository, { path: { owner, repo } });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        missing.push(repo);
      }
    return missing;
  }
}

type Body = InputOf<typeof setPropertyValues>['body'];
