import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;

// Vitest keeps the token of its API in the user's data directory, even if the API is off. Here it leaves nothing in the home.
process.env.XDG_DATA_HOME = join(root, 'node_modules/.data');

/** What a test changes for its whole process: modules, environment, working directory, signals. */
const processWide = /\bvi\.(mock|stub\w+)\(|\bprocess\.(emit|on|chdir)\(|\bprocess\.env\.\w+ = /;
/** Files of tests that share processes, and with them the loaded sources, which take longer to load than most files run. */
const sharing = globSync('test/{cli,client,commands,contracts,fleet,output,platform,sandbox}/**/*.test.ts', {
  cwd: root,
}).filter((file) => !processWide.test(readFileSync(join(root, file), 'utf8')));

export default defineConfig({
  test: {
    globalSetup: ['test/support/own-home.ts', 'test/support/fresh-build.ts'],
    // By default vitest leaves a core idle, which is half of a small machine.
    maxWorkers: '100%',
    // oclif writes through the console; intercepted, a test would not see what a user sees.
    disableConsoleIntercept: true,
    // Long enough that only a test that hangs meets it, also on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'isolated', include: ['test/**/*.test.ts'], exclude: sharing } },
      { extends: true, test: { name: 'shared', include: sharing, isolate: false } },
    ],
  },
});
