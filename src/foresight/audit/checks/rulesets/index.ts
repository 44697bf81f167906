/** Checks of the rulesets of organizations, and of what became of them. */
import { protectionRemoved } from './protection-removed.ts';
import { rulesetBypassStale } from './ruleset-bypass-stale.ts';
import { rulesetBypassWide } from './ruleset-bypass-wide.ts';
import { rulesetEvaluate } from './ruleset-evaluate.ts';
import { rulesetLoosened } from './ruleset-loosened.ts';
import { rulesetSelectsNothing } from './ruleset-selects-nothing.ts';

export const rulesetChecks = [
  rulesetBypassWide,
  rulesetBypassStale,
  rulesetEvaluate,
  rulesetSelectsNothing,
  rulesetLoosened,
  protectionRemoved,
];
