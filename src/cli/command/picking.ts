/** Lists that an argument is picked from. What reads them is loaded when somebody is asked. */
import { ClientError } from '../../client/errors.ts';
import type { Choice } from '../input/prompts/prompt-types.ts';
import { type Askable, parserProblem } from '../input/prompts/questions.ts';
import type { ListFlags, Listing } from '../result/listing.ts';
import type { Session } from './session.ts';

/** Records of the platform, one of which an argument names. */
export interface PickList<R> {
  /** `Which ruleset?` */
  readonly question: string;
  /** The list, cut as list flags would cut it. */
  readonly list: (session: Session, cut: ListFlags) => Promise<Listing<R>>;
  /** What a record is called, and what stands for it on the command line. */
  readonly choice: (record: R) => Choice<string | number>;
}

/** The lists for arguments by their names, each by what else is given. */
// biome-ignore lint/suspicious/noExplicitAny: arguments, flags and records of any command; each narrows them to its own
type ListToPickFrom = (given: any, flags: any) => PickList<any> | Promise<PickList<any> | undefined>;

export type PickLists = Readonly<Record<string, ListToPickFrom>>;

/** One page at most: in a longer list nobody looks for anything. */
const limit = 100;

/**
 * The same argument with the records that it may name, for the person to choose from; as it is where there are none, or
 * the platform does not list them: who asks for one of them may still know it.
 */
export async function withChoices<R>(
  asked: Askable,
  { question, list, choice }: PickList<R>,
  session: Session,
): Promise<Askable> {
  const records: R[] = [];
  let more: boolean;
  try {
    const listing = await list(session, { limit });
    for await (const page of listing.pages()) records.push(...page);
    more = listing.more;
  } catch (error) {
    if (error instanceof ClientError) return asked;
    throw error;
  }
  const choices: Choice<string | undefined>[] = records
    .map(choice)
    .map(({ value, ...called }) => ({ ...called, value: String(value ?? '') }))
    .filter(({ value }) => parserProblem(asked, value) === undefined);
  if (choices.length === 0) return asked;
  if (more) choices.push({ name: 'other (type it)', value: undefined });
  return { ...asked, pick: { question, choices } };
}
