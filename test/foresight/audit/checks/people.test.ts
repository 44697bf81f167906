import { peopleChecks } from '../../../../src/foresight/audit/checks/people/index.ts';
import { describeChecks } from '../judged-check.ts';

const person = (login: string, id = 1) => ({ login, id, html_url: `https://ghe.example.com/${login}` });
const [ada, ben, cleo] = [person('ada', 1), person('ben', 2), person('cleo', 3)];

describeChecks(peopleChecks, {
  'owners-two-factor': {
    passes: { owners: [ada], membersWithoutTwoFactor: [ben], membersWithInsecureTwoFactor: [cleo] },
    fails: { membersWithInsecureTwoFactor: [ada] },
    says: ['ada', 'ada owns acme and has an insecure second factor.'],
    fix: { hint: 'Ask ada' },
  },
  'members-two-factor': {
    passes: { owners: [ada], membersWithoutTwoFactor: [ada] },
    fails: { membersWithoutTwoFactor: [ada, ben] },
    says: ['ben', 'ben is a member of acme without two-factor authentication.'],
    fix: { hint: 'Ask ben' },
  },
  'insecure-two-factor': {
    passes: { owners: [ada], membersWithInsecureTwoFactor: [ada] },
    fails: { membersWithInsecureTwoFactor: [ada, ben] },
    says: ['ben', 'ben is a member of acme with an insecure second factor.'],
    fix: { hint: 'Ask ben' },
  },
  'outside-two-factor': {
    passes: { outsideWithoutTwoFactor: [] },
    fails: { outsideWithoutTwoFactor: [cleo] },
    says: ['cleo', 'cleo is an outside collaborator of acme without two-factor authentication.'],
    fix: { command: 'members remove acme cleo --outside' },
  },
  'outside-collaborators': {
    passes: { outsideCollaborators: Array.from({ length: 10 }, (_, place) => person(`guest-${place}`)) },
    fails: { outsideCollaborators: Array.from({ length: 11 }, (_, place) => person(`guest-${place}`)) },
    says: 'acme has 11 outside collaborators, more than 10.',
    fix: { hint: 'forgectl members remove acme LOGIN --outside' },
  },
  'outside-access': {
    passes: { outsiders: [{ ...cleo, role_name: 'write' }] },
    fails: { outsiders: [{ ...cleo, permissions: { admin: false, maintain: true } }] },
    says: ['cleo', 'cleo, an outside collaborator, has the role maintain in acme/site.'],
    fix: { command: 'repos grant acme/site --user cleo --role write' },
    lacks: [{ outsiders: [cleo] }, 'which role cleo has'],
  },
  'repository-administrators': {
    passes: { owners: [ada], administrators: [ada, ...Array.from({ length: 5 }, (_, at) => person(`admin-${at}`))] },
    fails: { owners: [] },
    says: '6 people besides the owners administer acme/site, more than 5.',
    fix: { hint: 'forgectl repos access acme/site' },
  },
  'inactive-owners': {
    passes: { owners: [ada, cleo], inactive: new Set(['ben']) },
    fails: { inactive: new Set(['ada']) },
    says: ['ada', 'ada owns acme and has no event in its audit log for 90 days.'],
    fix: { command: 'members set acme ada --role member' },
  },
  'inactive-members': {
    passes: { members: [ada, ben], owners: [ada], inactive: new Set(['ada']) },
    fails: { inactive: new Set(['ada', 'ben']) },
    says: ['ben', 'ben has no event in the audit log of acme for 90 days.'],
    fix: { command: 'members remove acme ben' },
  },
});
