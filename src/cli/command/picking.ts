/** Lists of choices for arguments. Loaded for the first prompt. */

import { ClientError } from '../../client/errors.ts';
import { asText } from '../../json/exact-json.ts';
import type { Choice } from '../input/prompts/prompt-types.ts';
import { type Promptable, parserProblem } from '../input/prompts/questions.ts';
import type { ListFlags, Listing } from '../result/listing.ts';
import type { Session } from './session.ts';

/** Records of the platform to choose an argument from. */
export interface PickList<R> {
  /** `Which ruleset?` */
  readonly question: string;
  /** The list, limited as by list flags. */
  readonly list: (session: Session, cut: ListFlags) => Promise<Listing<R>>;
  /** Returns the name of a record, and its value on the command line. */
  readonly choice: (record: R) => Choice<string | number>;
}

/** The lists by argument name, each depending on the other input. */
// biome-ignore lint/suspicious/noExplicitAny: arguments, flags and records of any command; each narrows them to its own
type ListToPickFrom = (given: any, flags: any) => PickList<any> | undefined | Promise<PickList<any> | undefined>;

export type PickLists = Readonly<Record<string, ListToPickFrom>>;

/** One page at most: longer lists are hard to search. */
const limit = 100;

/**
 * Returns the argument with the records to choose from; unchanged if there are none or the platform does not list them.
 */
export async function withChoices<R>(
  asked: Promptable,
  { question, list, choice }: PickList<R>,
  session: Session,
): Promise<Promptable> {
  let records: R[];
  let more: boolean;
  try {
    const listing = await list(session, { limit });
    records = await listing.records();
    more = listing.more;
  } catch (error) {
    if (error instanceof ClientError) return asked;
    throw error;
  }
  const choices: Choice<string | undefined>[] = records
    .map(choice)
    .map(({ value, ...called }) => ({ ...called, value: asText(value ?? '') }))
    .filter(({ value }) => parserProblem(asked, value) === undefined);
  if (choices.length === 0) return asked;
  if (more) choices.push({ name: 'other (type it)', value: undefined });
  return { ...asked, pick: { question, choices } };
}
