/** The tools whose files can be imported. */
import type { Format } from '../model.ts';
import { githubAsCode } from './github-as-code.ts';
import { peribolos } from './peribolos.ts';
import { repositorySettings } from './repository-settings.ts';
import { rulesets } from './rulesets.ts';
import { safeSettings } from './safe-settings/safe-settings.ts';
import { terraform } from './terraform/terraform.ts';

export const formats: readonly Format[] = [
  peribolos,
  githubAsCode,
  repositorySettings,
  rulesets,
  safeSettings,
  terraform,
];
