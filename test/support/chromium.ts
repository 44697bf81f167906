/** Chromium from npm, with the libraries and the font that come with it, as machines of CI may have neither. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, launch } from 'puppeteer-core';
import { root } from '../contracts/commands.ts';

/** Starts a browser without a window. Throws if it cannot be started. */
export function startChromium(): Promise<Browser> {
  const folder = extracted();
  // The font's own configuration names other folders.
  const fonts = join(mkdtempSync(join(tmpdir(), 'forgectl-fonts-')), 'fonts.conf');
  writeFileSync(
    fonts,
    `<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${fonts}.cache</cachedir></fontconfig>`,
  );
  return launch({
    executablePath: join(folder, 'chromium'),
    headless: 'shell',
    // Tests may run as root, for whom Chromium has no sandbox. The pages are those of this repository.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: fonts,
      FONTCONFIG_PATH: folder,
    },
  });
}

/** Returns the folder with the extracted program, which takes seconds to make and is kept beside the packages. */
function extracted(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'));
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'chromium-'));
  // The package extracts to the temporary folder, and its libraries only where it sees this variable.
  const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const code = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: root, env });
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return folder;
}
