/** Alerts about vulnerable dependencies of a repository, and the automated fixes of these. */
import * as v from 'valibot';
import {
  disableAutomatedSecurityFixes,
  disableVulnerabilityAlerts,
  enableAutomatedSecurityFixes,
  enableVulnerabilityAlerts,
  getAutomatedSecurityFixes,
  getVulnerabilityAlerts,
} from '../../../../platform/endpoints/alerts.ts';
import type { AutomatedSecurityFixes } from '../../../../platform/records.ts';
import { boolean, nested, optional } from '../../../../platform/schema.ts';
import { type Given, invalid } from '../../../../platform/validate.ts';
import type { PlannedChange } from '../../live/change.ts';
import { effectRows } from '../../live/effects.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import { type WantedTarget, wantedOf } from '../../wanted/model.ts';
import { sourceText } from '../../wanted/placed.ts';
import { mapping } from '../../wanted/schema-parts.ts';
import { pathOf } from '../../wanted/target.ts';
import { fieldUpdate, updateOfNew } from '../field-update.ts';
import { fieldsKind, type WantedField } from '../fields.ts';
import type { ExportReadings } from '../kind.ts';

const switches = {
  vulnerability: { enable: enableVulnerabilityAlerts, disable: disableVulnerabilityAlerts },
  fixes: { enable: enableAutomatedSecurityFixes, disable: disableAutomatedSecurityFixes },
} as const;

type Switch = keyof typeof switches;

export const alerts = fieldsKind({
  name: 'alerts',
  targets: ['repository'],
  schema: {
    repository: optional(
      nested(
        mapping({
          vulnerability: optional(boolean('Alerts about vulnerable dependencies, and the dependency graph')),
          fixes: optional(boolean('Pull requests that update vulnerable dependencies; need the alerts')),
        }),
        'Alerts about vulnerable dependencies of the repositories',
      ),
    ),
  },
  rules: ({ vulnerability, fixes }) =>
    vulnerability === false && fixes === true ? [invalid('fixes', 'requires vulnerability: true')] : [],
  isNamed: ({ name, body = {} }) =>
    Object.hasOwn(switches, name) && Object.keys(body).join() === name && typeof body[name] === 'boolean',
  // Fixes need the alerts: the alerts are enabled before them, and disabled after them.
  inOrder: (steps) => steps.toSorted((a, b) => placeOf(a) - placeOf(b)),
  reads: [getVulnerabilityAlerts.route, getAutomatedSecurityFixes.route],
  writes: Object.values(switches).flatMap(({ enable, disable }) => [enable.route, disable.route]),
  plan: planAlerts,
  async live({ name, target }, reader) {
    const read = await switchesOf(target, reader)(name as Switch);
    return 'unreadable' in read ? read : { value: { [name]: read.value } };
  },
  request({ name, target, body }) {
    const { enable, disable } = switches[name as Switch];
    return { endpoint: body?.[name] === true ? enable : disable, input: { path: pathOf(target) } };
  },
  // The platform returns nothing.
  kept: ({ body = {} }) => body,
  effects: effectRows({
    'true tightens': {
      vulnerability: 'Enables dependency alerts and the dependency graph for a repository.',
      fixes: 'Enables Dependabot security updates for a repository.',
    },
  }),
  export: exportAlerts,
});

const placeOf = ({ name, body }: PlannedChange): number => Number((name === 'fixes') === (body?.[name] === true));

const reads = {
  vulnerability: checked(getVulnerabilityAlerts, shape({})),
  fixes: checked(getAutomatedSecurityFixes, shape<AutomatedSecurityFixes>({ enabled: v.boolean() })),
} as const;

type Switches = (name: Switch) => Promise<Reading<boolean>>;

/** Returns a function that reads whether a switch of a repository is on, each at most once. */
function switchesOf(target: string, reader: Reader): Switches {
  const made = new Map<Switch, Promise<Reading<boolean>>>();
  const read: Switches = (name) => {
    const known = made.get(name) ?? readSwitch(name, target, reader);
    made.set(name, known);
    return known;
  };
  return async (name) => {
    const own = await read(name);
    if ('value' in own || !own.isNotFound) return own;
    // 404 means disabled to those who can read switches, and to others that they cannot.
    const other = await read(name === 'fixes' ? 'vulnerability' : 'fixes');
    return 'value' in other ? { value: false } : own;
  };
}

/** Public platform: its 404 says that “Vulnerability alerts are disabled.” */
const saysDisabled = /\bdisabled\b/i;

async function readSwitch(name: Switch, target: string, reader: Reader): Promise<Reading<boolean>> {
  const path = pathOf(target) as { readonly owner: string; readonly repo: string };
  const read: Reading<unknown> = await reader.get(reads[name], { path });
  if ('value' in read) return { value: (read.value as Partial<AutomatedSecurityFixes> | undefined)?.enabled ?? true };
  return read.isNotFound && saysDisabled.test(read.message ?? '') ? { value: false } : read;
}

async function planAlerts(wanted: WantedTarget, { reader }: OwnerReadings): Promise<PlannedChange[]> {
  const { target } = wanted;
  const read = switchesOf(target, reader);
  const changes: PlannedChange[] = [];
  for (const { name, body } of wantedOf<WantedField>(wanted, 'alerts')) {
    const common = { kind: 'alerts', target, name, source: sourceText(body.place) } as const;
    const declared = { [name]: body.value };
    if (wanted.isNew) {
      changes.push({ action: 'update', ...common, ...updateOfNew(declared) });
      continue;
    }
    const live = await read(name as Switch);
    if ('unreadable' in live) {
      changes.push({ action: 'unreadable', ...common, changes: [], reason: live.unreadable });
      continue;
    }
    const update = fieldUpdate(declared, { [name]: live.value }, alerts);
    if (update) changes.push({ action: 'update', ...common, ...update });
  }
  return changes;
}

async function exportAlerts(target: string, { reader, notExported }: ExportReadings): Promise<Given> {
  const read = switchesOf(target, reader);
  const exported: Record<string, boolean> = {};
  for (const name of Object.keys(switches) as Switch[]) {
    const live = await read(name);
    if ('value' in live) exported[name] = live.value;
    else notExported('alerts', target, live);
  }
  return exported;
}
