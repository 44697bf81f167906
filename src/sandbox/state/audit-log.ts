/** The audit log: what this sandbox has done since it was started, after a past that follows from the seed. */
import type { Endpoint } from '../../platform/endpoint.ts';
import type { Given } from '../../platform/validate.ts';
import type { SandboxPlatform } from '../platform.ts';
import { pick } from '../seed/chance.ts';
import type { User } from './accounts.ts';

export interface AuditRecord {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly action: string;
  readonly actor?: string | undefined;
  readonly org?: string | undefined;
  readonly repo?: string | undefined;
}

const recorded = ({ store }: SandboxPlatform) => store.collection<AuditRecord>('audit log');

/** Adds a write that has happened. */
export function recordWrite(platform: SandboxPlatform, event: Omit<AuditRecord, 'id' | 'time'>): void {
  const number = platform.store.next('audit log', 1);
  recorded(platform).set(number, { ...event, id: `event-${number}`, time: platform.clock().getTime() });
}

/** They are content rather than administration. */
const unrecorded = ['comments', 'dispatches', 'snapshots'];

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'destroy' };

/** Those that the public platform does not name after the last segment of the path. */
const actions: Readonly<Record<string, string>> = {
  'PATCH /orgs/{org}': 'org.update',
  'POST /orgs/{org}/repos': 'repo.create',
  'POST /repos/{owner}/{repo}/forks': 'repo.create',
  'DELETE /repos/{owner}/{repo}': 'repo.destroy',
  'POST /repos/{owner}/{repo}/transfer': 'repo.transfer',
  'PUT /repos/{owner}/{repo}/topics': 'repo.update_topics',
  'PATCH /orgs/{org}/properties/values': 'custom_property_value.update',
};

/** Returns what the log calls a write; undefined for one that it does not mention. */
export function actionOf({ route, method, template }: Endpoint, body: Given): string | undefined {
  if (route === 'PATCH /repos/{owner}/{repo}') return changeOf(body);
  const segments = template.split('/').filter((segment) => segment !== '' && !/[{<]/.test(segment));
  const last = segments.at(-1) ?? '';
  if (unrecorded.includes(last)) return undefined;
  const subject = last === 'rulesets' ? 'repository_ruleset' : last.replace(/ies$/, 'y').replace(/s$/, '');
  return actions[route] ?? `${subject.replaceAll('-', '_')}.${verbs[method]}`;
}

function changeOf(body: Given): string {
  if (body.archived !== undefined) return body.archived ? 'repo.archived' : 'repo.unarchived';
  if (body.name !== undefined) return 'repo.rename';
  return body.visibility !== undefined || body.private !== undefined ? 'repo.access' : 'repo.update';
}

const pastEvents = 45;
const hour = 60 * 60 * 1000;

/** Returns all events, newest first. */
export const allEvents = (platform: SandboxPlatform): AuditRecord[] => [
  ...recorded(platform).values().toReversed(),
  ...past(platform),
];

const pastActions = ['repo.create', 'repo.access', 'org.add_member', 'repo.destroy', 'git.push'] as const;

/** The gaps grow towards the past; there are git events among them. */
function past({ accounts, repositories, chance, started }: SandboxPlatform): AuditRecord[] {
  return Array.from({ length: pastEvents }, (_, place): AuditRecord => {
    const { login, ...organization } = accounts.organizationAt(
      Math.floor(chance('audit org', place) * accounts.organizationCount),
    );
    const all = repositories.of({ login, ...organization });
    const [repository] = all.slice(place % all.total, (place % all.total) + 1);
    const action = pick(pastActions, chance('audit action', place));
    const actor = pick(accounts.users as [User, ...User[]], chance('audit actor', place)).login;
    return {
      id: `past-${pastEvents - place}`,
      time: Math.round(started - (place ** 2 + 1 + chance('audit minutes', place)) * hour),
      action,
      actor,
      org: login,
      repo: action === 'org.add_member' || !repository ? undefined : `${login}/${repository.name}`,
    };
  });
}

export const isGit = ({ action }: AuditRecord): boolean => action.startsWith('git.');
