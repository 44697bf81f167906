/** Run as a process of its own: adds four profiles, each with a change of its own. */
import { changeSettings, withProfile } from '../../src/cli/account/settings.ts';

const [directory = '', name] = process.argv.slice(2);
for (const n of [0, 1, 2, 3]) await changeSettings(directory, (settings) => withProfile(settings, `${name}.${n}`, {}));
