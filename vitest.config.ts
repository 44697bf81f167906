import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // oclif writes through the console; intercepted, a test would not see what a user sees.
    disableConsoleIntercept: true,
  },
});
