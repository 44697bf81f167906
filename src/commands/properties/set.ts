import { examples } from '../../cli/command/command.ts';
import { SomeFailedError } from '../../cli/errors.ts';
import { orgArg } from '../../cli/input/args.ts';
import { readSource } from '../../cli/input/sources.ts';
import { Listing } from '../../cli/result/listing.ts';
import { ApiError, NotFoundError } from '../../client/errors.ts';
import { PlannedRequest } from '../../client/request.ts';
import type { JournalTarget } from '../../fleet/journal/lines.ts';
import type { InputOf } from '../../platform/endpoint.ts';
import { listProperties, mostRepositories, setPropertyValues } from '../../platform/endpoints/properties.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import { type Given, invalid } from '../../platform/validate.ts';
import { changeColumns, type PropertyChange } from '../../topics/properties/columns.ts';
import { combinationProblems, setFlags } from '../../topics/properties/flags.ts';
import type { SetInJournal, SetParts } from '../../topics/properties/in-journal.ts';
import { earlierSet, repositoriesOf, resumedWords, wordsWithAnswers } from '../../topics/properties/resume.ts';
import {
  checkedValues,
  propertiesArg,
  propertyValues,
  repositoryNames,
  type TypedName,
} from '../../topics/properties/values.ts';
import { FleetCommand } from '../../topics/runs/fleet-command.ts';

export default class PropertiesSet extends FleetCommand<Listing<PropertyChange>> {
  static override summary = 'Set custom properties of repositories';
  static override description =
    `Sets properties of any number of repositories, in batches of 30 with separate results; if some fail, the exit code
is 9. NAME=VALUE sets a value and NAME= unsets the property. For a multi-select property, repeat it (region=eu
region=us) or give JSON (region:=["eu"]). Names are case-insensitive; names and values are checked against “properties
list” before anything is changed. A repository that does not exist does not affect the others.

More than 30 repositories take several requests, and the run keeps a journal: --resume JOURNAL resumes it without other
arguments, unless a property has the name of a secret: its value is not in the journal. All repositories are read
before the first change; a write without a response is sent again only if the platform shows that it did not happen.`;
  static override usage = 'properties set (ORG PROPERTIES… (--repos REPO,… | --from FILE) | --resume JOURNAL) [FLAGS]';
  static override examples = examples({
    'Set two properties of two repositories':
      'forgectl properties set acme tier=gold team=web --repos site,identity-client',
    'Preview the request that unsets a property': 'forgectl properties set acme team= --repos site --dry-run',
  });
  static override requests = [listProperties.route, setPropertyValues.route];
  static override args = { org: orgArg(), properties: propertiesArg() };
  static override flags = setFlags;

  protected override readonly columns = changeColumns;
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'repository';

  #run: SetInJournal | undefined;

  async run(): Promise<Listing<PropertyChange> | readonly PlannedRequest[]> {
    const earlier = earlierSet(this.typed, (text) => this.masked(text));
    const { args, flags } = await this.collect(PropertiesSet, resumedWords(earlier, this.typed));
    const { org, properties } = args;
    const typed = propertyValues(properties ?? [], this.problems);
    this.problems.push(...combinationProblems(flags));
    const repositories = earlier ? repositoriesOf(earlier, flags) : await this.#named(org, flags);
    const path = { org: this.valid({ org }).org };
    const definitions = await this.call(listProperties, { path });
    const values = checkedValues(typed, definitions, path.org);
    const { journal, 'dry-run': isDryRun } = flags;
    const isLong = repositories.length > mostRepositories || journal !== undefined || earlier !== undefined;
    // Within `each`, the journal is that of `each`.
    if (isLong && !isDryRun && !this.isWithinAnother)
      return this.#setInJournal({ org: path.org, repositories, values, definitions, earlier, journal });
    const names = repositories.map(({ name }) => name);
    return this.#setWithoutJournal(path, names, values);
  }

  protected override get pendingWrites(): number {
    return this.#run?.pendingWrites ?? 0;
  }

  protected override get ending(): string | undefined {
    return this.#run?.continuation;
  }

  async #setInJournal(parts: SetParts): Promise<Listing<PropertyChange>> {
    const { SetInJournal } = await import('../../topics/properties/in-journal.ts');
    const given = wordsWithAnswers(this.typed, await this.input.answeredArgs());
    const run = new SetInJournal({ ...parts, ...(await this.runContext()), typed: { ...this.typed, given } });
    this.#run = run;
    this.failure = await run.make();
    const changes = parts.repositories.map(({ name }, index): PropertyChange[] => {
      const repository = `${parts.org}/${name}`;
      const result = run.resultOf(repository);
      return result ? [{ repository, batch: Math.floor(index / mostRepositories) + 1, ...result }] : [];
    });
    return Listing.of(changes.flat());
  }

  async #setWithoutJournal(path: { readonly org: string }, names: readonly string[], values: Body['properties']) {
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

  /** Returns the repositories given by flags. */
  async #named(org: string | null, flags: Given): Promise<readonly JournalTarget[]> {
    const { repos, from } = await this.input.oneOfFlags(['repos', 'from'], flags);
    const typed = repos?.split(',').map((name) => name.trim());
    const named = typed?.map((text) => ({ text, called: text || 'Repository' })) ?? (await this.namesIn(from));
    return repositoryNames(named, org, this.problems).map((name) => ({ name }));
  }

  /** Errors do not quote the lines: the file may be of another kind, with secrets. */
  private async namesIn(file: string | undefined): Promise<TypedName[]> {
    if (file === undefined || this.problems.length > 0) return [];
    const lines = (await readSource(file, this.runtime.stdin, '--from')).split(/\r?\n/).map((line) => line.trim());
    const named = lines.map((text, at) => ({
      text,
      called: `Line ${at + 1} of ${file === '-' ? 'standard input' : file}`,
    }));
    const names = named.filter(({ text }) => text !== '' && !text.startsWith('#'));
    if (names.length === 0) this.problems.push(invalid('--from', 'contains no repository'));
    return names;
  }

  /**
   * Returns the repositories of a batch that were updated: those that do not exist are omitted. Rethrows the error of a
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
        await this.reportRefusal(error);
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
