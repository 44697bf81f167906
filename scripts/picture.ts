/** Makes docs/audit.png, the picture of a report in README.md: the audit of two organizations of the sandbox. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startSandbox } from '../src/sandbox/serve.ts';
import { startChromium } from '../test/support/chromium.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'forgectl-picture-'));
const report = join(folder, 'audit.html');
const sandbox = await startSandbox({ orgs: 5 });
const env = { HOME: folder, FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
const words = ['bin/run.js', 'audit', 'hooli', 'umbrella', '--html', report];
await promisify(execFile)(process.execPath, words, { env, cwd: root });
const browser = await startChromium();
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1180, height: 860 });
  await page.goto(pathToFileURL(report).href);
  await page.screenshot({ path: `${root}/docs/audit.png` });
} finally {
  await browser.close();
  await sandbox.close();
  rmSync(folder, { recursive: true });
}
