/** Runs the built forgectl as a process of its own: with real signals, pipes and files. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The words that start it, for a shell or a terminal of the test's own. */
export const program: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('../../bin/run.js', import.meta.url)),
];

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Words of another program that starts this one, such as a shell that sets limits first. */
  readonly through?: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

/** Nothing of the machine's own environment but what programs need. */
const plainEnv = (env: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...env,
});

/** Starts it; what still runs after the test is killed. */
export function start(words: readonly string[], { env = {}, cwd, through = [] }: ProcessOptions = {}): Running {
  const [file = '', ...rest] = [...through, ...program, ...words];
  const child = spawn(file, rest, { env: plainEnv(env), cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }));
  return { child, ended };
}

/** Python drives the terminals of these tests: Node cannot make one. Where it is missing, they are left out. */
export const hasPython = spawnSync('python3', ['-c', 'import pty, termios']).status === 0;

const driver = `
import fcntl, json, os, pty, select, signal, subprocess, sys, termios
task = json.loads(sys.argv[1])
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, bytes([24, 0, task['columns'], 0, 0, 0, 0, 0]))
before = termios.tcgetattr(slave)
out = open(task['stdout'], 'wb') if task['stdout'] else slave
child = subprocess.Popen(task['command'], stdin=slave, stdout=out, stderr=slave, env=task['env'], start_new_session=True,
  preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
shown = b''
steps = task['steps']
while True:
  if select.select([master], [], [], 0.05)[0]: shown += os.read(master, 65536)
  elif child.poll() is not None: break
  if steps and steps[0][0].encode() in shown:
    shown_before, step = shown, steps.pop(0)
    if step[1].startswith('SIG'): os.kill(child.pid, getattr(signal, step[1]))
    else: os.write(master, step[1].encode())
after = termios.tcgetattr(slave)
code = 128 - child.returncode if child.returncode < 0 else child.returncode
print(json.dumps({'shown': shown.decode('utf-8', 'replace'), 'code': code, 'restored': before == after}))
`;

export interface TerminalRun {
  /** All that came onto the screen, the echo of keys included. */
  readonly shown: string;
  /** As shells have it: 128 and the signal's number where one ended it. */
  readonly code: number;
  /** Whether the terminal is set as it was. */
  readonly restored: boolean;
}

/** Runs it in a real terminal. Each step waits for a text on the screen, then presses keys or sends a signal. */
export async function inTerminal(
  words: readonly string[],
  steps: readonly (readonly [awaited: string, keys: string])[],
  {
    env = {},
    columns = 80,
    stdout,
    through = [],
  }: Pick<ProcessOptions, 'env' | 'through'> & { columns?: number; stdout?: string } = {},
): Promise<TerminalRun> {
  const task = {
    command: [...through, ...program, ...words],
    env: { ...plainEnv(env), TERM: 'xterm' },
    steps,
    columns,
    stdout: stdout ?? '',
  };
  const child = spawn('python3', ['-c', driver, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return JSON.parse(text) as TerminalRun;
}
