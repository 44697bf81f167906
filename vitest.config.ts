import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/own-home.ts',
    // oclif writes through the console; intercepted, a test would not see what a user sees.
    disableConsoleIntercept: true,
    // Long enough that only a test that hangs meets it, also on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
