/** What a plan creates: later changes are those of the team or repository that the run created, not of another of that name. */
import type { RequestWatch } from '../../../client/transport/transport.ts';
import { isObject } from '../../../json/exact-json.ts';
import type { Journal } from '../../journal/journal.ts';
import { EarlierFailureError } from '../errors.ts';
import { isCreation, kindNamed } from '../kinds/lookup.ts';
import { slugOfTeam } from '../kinds/people/team-names.ts';
import type { Step } from '../live/change.ts';
import { teamKey } from '../planning/people-ids.ts';
import { parseReference, withIds } from '../wanted/references.ts';
import { ownerOf } from '../wanted/target.ts';
import { stepName } from './steps.ts';

interface CreatedOptions {
  readonly journal?: Journal | undefined;
  /** The steps that are left to other runs. */
  readonly left?: readonly Step[] | undefined;
}

export class Created {
  readonly #journal: Journal | undefined;
  readonly #left: readonly Step[];
  /** The steps that create repositories, by target, and those that create or rename teams. */
  readonly #repositories = new Map<string, Step>();
  readonly #teams = new Map<string, Step>();
  readonly #finished = new Set<Step>();
  readonly #ids = new Map<Step, number>();
  /** The steps whose response had no ID. */
  readonly #unidentified = new Set<Step>();

  constructor(steps: readonly Step[], { journal, left = [] }: CreatedOptions) {
    this.#journal = journal;
    this.#left = left;
    for (const step of [...steps, ...left]) {
      const { kind, action, target, body } = step;
      if (isCreation(step)) this.#repositories.set(target.toLowerCase(), step);
      else if (kind === 'team' && action !== 'delete' && typeof body?.name === 'string')
        this.#teams.set(teamKey(target, slugOfTeam(body.name)), step);
    }
  }

  /** Returns an observer of the write of a step that also takes the ID of what it creates. */
  watched(step: Step, watch: RequestWatch): RequestWatch {
    if (step.action !== 'create') return watch;
    return {
      ...watch,
      received: async (...response) => {
        await watch.received?.(...response);
        const [status, , data] = response;
        if (isObject(data) && typeof data.id === 'number') this.#ids.set(step, data.id);
        else if (status < 300) this.#unidentified.add(step);
      },
    };
  }

  /** Records that a step was made, or was not needed. */
  finished(step: Step): void {
    this.#finished.add(step);
  }

  /**
   * Returns a step with the IDs of the teams and the repository that the plan creates, as far as the journal has them. Throws
   * EarlierFailureError for what was not created, or was created without an ID in the response.
   */
  identified(step: Step): Step {
    const { kind, target, id, body, between, leadsTo, new_repository } = step;
    const { team, parent } = kindNamed(kind).peopleIn?.(step) ?? {};
    const ofTeam = (slug: string | undefined) =>
      slug === undefined ? undefined : this.#idOf(this.#teams.get(teamKey(ownerOf(target), slug)));
    const {
      team_id = typeof id === 'number' ? undefined : ofTeam(team),
      parent_id = ofTeam(parent),
      repository_id = new_repository && !isCreation(step)
        ? this.#idOf(this.#repositories.get(target.toLowerCase()))
        : undefined,
    } = step;
    const resolved = (given: unknown) =>
      withIds(given, ({ value }) => {
        const reference = parseReference(value);
        return (reference?.kind === 'team' && ofTeam(reference.name)) || value;
      });
    return {
      ...step,
      ...(team_id !== undefined && { team_id }),
      ...(parent_id !== undefined && { parent_id }),
      ...(repository_id !== undefined && { repository_id }),
      ...(body && { body: resolved(body) }),
      ...(between && { between: resolved(between) }),
      ...(leadsTo && { leadsTo: resolved(leadsTo) }),
    } as Step;
  }

  /** Returns a step that was made with the ID of what it created, if the response had it. `task`: its task. */
  withCreatedId(step: Step, task: string): Step {
    if (step.action !== 'create' || !kindNamed(step.kind).returnsId) return step;
    const createdId = this.#ids.get(step) ?? this.#journal?.createdId(task, stepName(step));
    return createdId === undefined ? step : { ...step, createdId };
  }

  /** Returns the ID of what a step creates or renames; undefined if it is not known, or if there is no such step. */
  #idOf(creation: Step | undefined): number | undefined {
    if (!creation) return undefined;
    const { action, target } = creation;
    const earlier = typeof creation.id === 'number' ? creation.id : undefined;
    const name = stepName(creation);
    const record = this.#journal?.find(target);
    const id = this.#ids.get(creation) ?? this.#journal?.createdId(target, name);
    if (id !== undefined) return id;
    if (this.#unidentified.has(creation)) throw new EarlierFailureError(target, 'unidentified');
    const isDone = record?.done.has(name) ?? false;
    // An undo did not create a team that still exists.
    if (isDone || this.#finished.has(creation) || record?.outcome === 'ok')
      return isDone && action === 'create' ? undefined : earlier;
    throw new EarlierFailureError(target, this.#left.includes(creation) ? 'left' : 'failed');
  }
}
