/** Bars and other drawings of numbers. */
import type { Terminal } from '../terminal.ts';

/** How bars are drawn: in eighths of a character, in ASCII, or not at all. */
export type BarStyle = 'blocks' | 'ascii' | 'none';

/** Returns the style that the terminal supports; none in pipes and in plain text. */
export function barStyle({ stdoutIsTTY, plain, utf8 }: Pick<Terminal, 'stdoutIsTTY' | 'plain' | 'utf8'>): BarStyle {
  if (!stdoutIsTTY || plain) return 'none';
  return utf8 ? 'blocks' : 'ascii';
}

export const barWidth = 12;

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/** Returns a bar for a fraction of one; every positive value is visible. */
export function bar(part: number, drawing: BarStyle): string {
  const share = Math.min(Math.max(part, 0), 1) || 0;
  if (drawing === 'none') return '';
  if (drawing === 'ascii') return '#'.repeat(share > 0 ? Math.max(1, Math.round(share * barWidth)) : 0);
  const filled = share > 0 ? Math.max(1, Math.round(share * barWidth * 8)) : 0;
  return '█'.repeat(Math.floor(filled / 8)) + eighths[filled % 8];
}

/** Returns a bar followed by its free part: `███▌░░░░░░░░`. */
export function meter(part: number, drawing: BarStyle): string {
  const rest = drawing === 'none' ? '' : drawing === 'blocks' ? '░' : '.';
  const filled = bar(part, drawing);
  return filled + rest.repeat(rest ? barWidth - filled.length : 0);
}

const steps = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Returns one character per number, as high as its value; a space for zero. Not available in ASCII. */
export function sparkline(numbers: readonly number[], drawing: BarStyle): string {
  if (drawing !== 'blocks') return '';
  const most = numbers.reduce((one, other) => Math.max(one, other), 1);
  return numbers.map((number) => (number > 0 ? steps[Math.ceil((number / most) * steps.length) - 1] : ' ')).join('');
}
