import * as endpoints from '../../platform/endpoints/labels.ts';
import type { Label } from '../../platform/records.ts';
import { listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { found, unprocessable } from '../refusals.ts';
import { type App, route } from '../route.ts';
import type { RepositoryState } from '../state/repositories.ts';
import type { Collection } from '../store.ts';
import { nodeId } from '../views/actor.ts';
import { fullName } from '../views/repository.ts';

type LabelState = Pick<Label, 'id' | 'name' | 'description' | 'color' | 'default'>;

const firstCreatedId = 800_000_000;

export function mountLabels(app: App): void {
  const { platform } = app;
  route(app, endpoints.listLabels, ({ repository }) =>
    mapped(listing(labelsOf(platform, repository).values()), (label) => labelView(platform, repository, label)),
  );

  route(app, endpoints.getLabel, ({ repository, path }) =>
    labelView(platform, repository, found(named(platform, repository, path.name))),
  );

  route(app, endpoints.createLabel, ({ repository, body }) => {
    refuseTaken(platform, repository, body.name);
    return save(platform, repository, {
      id: platform.store.next('labels', firstCreatedId),
      name: body.name,
      description: body.description || null,
      color: body.color?.toLowerCase() ?? 'ededed',
      default: false,
    });
  });

  route(app, endpoints.updateLabel, ({ repository, path, body }) => {
    const label = found(named(platform, repository, path.name));
    const { new_name: name = label.name, color = label.color, description = label.description } = body;
    refuseTaken(platform, repository, name, label.id);
    return save(platform, repository, {
      ...label,
      name,
      color: color.toLowerCase(),
      description: description || null,
    });
  });

  route(app, endpoints.deleteLabel, ({ repository, path }) => {
    labelsOf(platform, repository).delete(found(named(platform, repository, path.name)).id);
  });
}

function save(platform: SandboxPlatform, repository: RepositoryState, label: LabelState): Label {
  labelsOf(platform, repository).set(label.id, label);
  return labelView(platform, repository, label);
}

/** Names are unique in a repository, whatever their case. */
const named = (platform: SandboxPlatform, repository: RepositoryState, name: string): LabelState | undefined =>
  labelsOf(platform, repository)
    .values()
    .find((label) => label.name.toLowerCase() === name.toLowerCase());

function refuseTaken(platform: SandboxPlatform, repository: RepositoryState, name: string, own?: number): void {
  const other = named(platform, repository, name);
  if (other && other.id !== own)
    throw unprocessable('Validation Failed', [{ resource: 'Label', code: 'already_exists', field: 'name' }]);
}

/** The labels that the public platform gives to new repositories. */
const seeded = [
  ['bug', 'd73a4a', "Something isn't working"],
  ['documentation', '0075ca', 'Improvements or additions to documentation'],
  ['duplicate', 'cfd3d7', 'This issue or pull request already exists'],
  ['enhancement', 'a2eeef', 'New feature or request'],
  ['good first issue', '7057ff', 'Good for newcomers'],
  ['help wanted', '008672', 'Extra attention is needed'],
  ['invalid', 'e4e669', "This doesn't seem right"],
  ['question', 'd876e3', 'Further information is requested'],
  ['wontfix', 'ffffff', 'This will not be worked on'],
] as const;

/** Returns the labels of a repository, by ID. */
export const labelsOf = ({ store }: SandboxPlatform, { id: repository }: RepositoryState): Collection<LabelState> =>
  store.collection<LabelState>('labels', repository, () =>
    seeded.map(([name, color, description], place) => {
      const id = repository * 100 + place + 1;
      return [id, { id, name, color, description, default: true }] as const;
    }),
  );

const labelView = (platform: SandboxPlatform, repository: RepositoryState, label: LabelState): Label => ({
  ...label,
  node_id: nodeId('Label', label.id),
  url: `${platform.baseUrl}/repos/${fullName(platform, repository)}/labels/${encodeURIComponent(label.name)}`,
});
