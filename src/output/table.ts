/** A list as a table for people: columns two spaces apart, no lines drawn, no wider than the terminal. */
import { barWidth, type Drawing, drawingOn } from './bars.ts';
import { isDrawn, memberColumns, type ShownColumn } from './columns.ts';
import { type Fitted, fittingColumns, type Wanted } from './fit.ts';
import type { ListFormat } from './list-format.ts';
import { collected } from './list-format.ts';
import { styledCell } from './looks.ts';
import { isPrintableAscii, safeText } from './safe-text.ts';
import { stacked } from './stack.ts';
import type { Terminal } from './terminal.ts';
import { bold } from './tones.ts';
import { humanText } from './cells.ts';
import { type Width, widthOf } from './width.ts';
