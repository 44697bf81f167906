import { basePermission } from './base-permission.ts';
import { ownerCount } from './owner-count.ts';
import { twoFactorRequired } from './two-factor-required.ts';

export const organizationChecks = [twoFactorRequired, basePermission, ownerCount];
