/** Converts errors to messages and exit codes. */
import {
  AdvisedError,
  ApiError,
  AppLoginError,
  AuthenticationError,
  FileError,
  InstallationRefusedError,
  InvalidResponseError,
  NetworkError,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  PublicKeyError,
  RateLimitError,
  RedirectError,
  RenamedError,
  ServerError,
  UnsafeRequestError,
} from '../../client/errors.ts';
import { MaskingError } from '../../client/redact.ts';
import { JournalError, OtherTargetError, UnverifiedWriteError } from '../../fleet/errors.ts';
import {
  ChangedSincePlanError,
  EarlierFailureError,
  ExpectationError,
  PlanFileError,
  RefusedChangesError,
  SecretError,
  UnnamedTargetError,
  UnplannedDeletionError,
  ValuesDifferError,
} from '../../fleet/policy/errors.ts';
import { PolicyError } from '../../fleet/policy/wanted/placed.ts';
import { JqError } from '../../jq/jq.ts';
import { asText } from '../../json/exact-json.ts';
import { formatCount } from '../../output/amounts.ts';
import { FieldPathError } from '../../output/fields.ts';
import { escapeHazards } from '../../output/safe-text.ts';
import { TooLargeError } from '../../output/too-large.ts';
import { OutputError } from '../../output/writer.ts';
import {
  DifferencesError,
  FindingsError,
  GuardError,
  InterruptedError,
  LintError,
  NotLoggedInError,
  RefusedResultError,
  SomeFailedError,
  UnreadableError,
  UnshownResultError,
  UsageError,
  ValidationError,
  WaitLimitError,
} from '../errors.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type AdviceContext, adviceFor, refusalReason } from './advice.ts';

interface BadField {
  readonly field: string;
  readonly message: string;
}

/** Everything known about a failure. Its JSON form omits the exit code, the reason and whether it stops others. */
export interface Failure {
  readonly exit: ExitCode;
  /** The reason for the refusal, without the request; for counting equal refusals, not printed. */
  readonly reason?: string | undefined;
  /** True if other requests over the same login would fail too. */
  readonly stops?: boolean;
  /** The kind of failure. */
  readonly code: FailureCode;
  /** The request and the error, in one line. */
  readonly message: string;
  /** The status of the platform's response, if it returned an error. */
  readonly status?: number | undefined;
  /** The invalid fields, flags and arguments, with their problems. */
  readonly fields?: readonly BadField[] | undefined;
  /** The number of other fields that the platform reported. */
  readonly moreFields?: number | undefined;
  readonly advice?: string | undefined;
  /** The ID of the request in the platform's own logs. */
  readonly requestId?: string | undefined;
  /** When the platform accepts requests again; ISO 8601. */
  readonly retryAt?: string | undefined;
}

/** The error as printed with JSON output. */
export interface ErrorLine {
  readonly error: Omit<Failure, 'exit' | 'reason' | 'stops'>;
}

type Kind = readonly [type: abstract new (...args: never[]) => Error, exit: ExitCode, code: string];

/** The first matching class decides; subclasses come before their bases. */
const kinds = [
  [InterruptedError, exitCodes.interrupted, 'interrupted'],
  [NotLoggedInError, exitCodes.notAuthenticated, 'not_authenticated'],
  [AppLoginError, exitCodes.notAuthenticated, 'not_authenticated'],
  [UsageError, exitCodes.usage, 'usage'],
  [ValidationError, exitCodes.usage, 'validation'],
  [LintError, exitCodes.usage, 'lint'],
  [JournalError, exitCodes.usage, 'journal'],
  [PolicyError, exitCodes.usage, 'policy'],
  [JqError, exitCodes.usage, 'jq'],
  [FieldPathError, exitCodes.usage, 'validation'],
  [TooLargeError, exitCodes.usage, 'too_large'],
  [UnsafeRequestError, exitCodes.usage, 'unsafe_request'],
  [NotFoundError, exitCodes.notFound, 'not_found'],
  [UnnamedTargetError, exitCodes.notFound, 'not_found'],
  [AuthenticationError, exitCodes.notAuthenticated, 'not_authenticated'],
  [PermissionError, exitCodes.notPermitted, 'not_permitted'],
  [UnreadableError, exitCodes.notPermitted, 'not_permitted'],
  [RateLimitError, exitCodes.rateLimited, 'rate_limited'],
  [ServerError, exitCodes.network, 'server_error'],
  [ApiError, exitCodes.refused, 'refused'],
  [RefusedResultError, exitCodes.refused, 'refused'],
  [OutcomeUnknownError, exitCodes.network, 'outcome_unknown'],
  [UnverifiedWriteError, exitCodes.network, 'outcome_unknown'],
  [NetworkError, exitCodes.network, 'network'],
  [InvalidResponseError, exitCodes.network, 'invalid_response'],
  [PublicKeyError, exitCodes.network, 'invalid_response'],
  [RedirectError, exitCodes.network, 'redirect'],
  [RenamedError, exitCodes.guarded, 'renamed'],
  [SomeFailedError, exitCodes.someFailed, 'some_failed'],
  [WaitLimitError, exitCodes.waitLimit, 'wait_limit'],
  [DifferencesError, exitCodes.differences, 'differences'],
  [GuardError, exitCodes.guarded, 'guard'],
  [FindingsError, exitCodes.findings, 'findings'],
  [ExpectationError, exitCodes.guarded, 'guard'],
  [ChangedSincePlanError, exitCodes.someFailed, 'moved'],
  [UnplannedDeletionError, exitCodes.someFailed, 'moved'],
  [OtherTargetError, exitCodes.someFailed, 'moved'],
  [ValuesDifferError, exitCodes.someFailed, 'not_kept'],
  [RefusedChangesError, exitCodes.refused, 'refused'],
  [EarlierFailureError, exitCodes.someFailed, 'earlier_failure'],
  [PlanFileError, exitCodes.usage, 'plan'],
  [SecretError, exitCodes.usage, 'secret'],
  [FileError, exitCodes.unexpected, 'file'],
  [OutputError, exitCodes.unexpected, 'output'],
  [MaskingError, exitCodes.unexpected, 'unexpected'],
  [UnshownResultError, exitCodes.unexpected, 'unshown_result'],
] as const satisfies readonly Kind[];

type FailureCode = (typeof kinds)[number][2] | 'unexpected';

/** What V8 reports for data that exceeds the stack, or the size of a text or collection. */
const exceeded =
  /^(?:Maximum call stack size exceeded|Invalid (?:string|array) length|(?:Map|Set) maximum size exceeded)$/;

/** Describes any error. An error of an unknown class is reported as a bug: exit code 1. */
export function describeFailure(error: unknown, context: AdviceContext): Failure {
  if ((error as NodeJS.ErrnoException | undefined)?.syscall === 'uv_cwd')
    return {
      exit: exitCodes.usage,
      code: 'usage',
      message: 'The current directory no longer exists.',
      advice: 'Change to another directory and run the command again.',
    };
  if (error instanceof RangeError && exceeded.test(error.message))
    return describeFailure(new TooLargeError('The data is too large or too deeply nested'), context);
  const kind = kinds.find(([type]) => error instanceof type);
  if (!kind || !(error instanceof Error)) {
    const message = error instanceof Error ? error.message : asText(error);
    return {
      exit: exitCodes.unexpected,
      code: 'unexpected',
      message: `Internal error: ${message}`,
      advice: 'This is a bug. Run the command again with --debug and report the output; secrets in it are masked.',
    };
  }
  const [, exit, code] = kind;
  const reason = error instanceof ApiError ? refusalReason(error, context) : undefined;
  const stops = stoppingExits.includes(exit) || error instanceof InstallationRefusedError;
  return {
    exit,
    code,
    ...wordsOf(error, context),
    ...refusalOf(error),
    reason,
    stops,
    advice: adviceOf(error, context),
  };
}

const stoppingExits: readonly ExitCode[] = [exitCodes.notAuthenticated, exitCodes.rateLimited];

function wordsOf(error: Error, { offline }: AdviceContext): { message: string; fields?: readonly BadField[] } {
  if (error instanceof ValidationError)
    return {
      message: offline ? `${error.message}.` : `${error.message}. Nothing was sent.`,
      fields: error.problems.map(({ field, message }) => ({ field, message })),
    };
  if (error instanceof ApiError) {
    const { asked, refusal, message } = error;
    return { message: `${asked.method} ${asked.path} returned ${refusal.status} ${message}` };
  }
  return { message: error.message };
}

function refusalOf(error: Error): Pick<Failure, 'status' | 'requestId' | 'fields' | 'moreFields' | 'retryAt'> {
  if (!(error instanceof ApiError)) return {};
  const { status, requestId, fields, moreFields } = error.refusal;
  return {
    status,
    requestId,
    ...(error instanceof RateLimitError && error.retryAt ? { retryAt: error.retryAt.toISOString() } : {}),
    ...(fields.length
      ? { fields: fields.map(({ field, message, code }) => ({ field: field ?? '', message: message ?? code ?? '' })) }
      : {}),
    ...(moreFields > 0 ? { moreFields } : {}),
  };
}

function adviceOf(error: Error, context: AdviceContext): string | undefined {
  return error instanceof AdvisedError ? error.advice : adviceFor(error, context);
}

/** Returns the text of a failure: the message, the invalid fields, the advice. Its secrets are not masked, nor is it escaped. */
export function failureText(failure: Failure): string {
  const lines = [`forgectl: ${failure.message}`];
  for (const { field, message } of failure.status ? (failure.fields ?? []) : [])
    lines.push(`  ${field ? `${field}: ` : ''}${message}`);
  if (failure.moreFields) lines.push(`  and ${formatCount(failure.moreFields)} more`);
  if (failure.advice) lines.push(failure.advice);
  if (failure.requestId) lines.push(`Request ID: ${failure.requestId}`);
  return lines.join('\n');
}

/** Returns the failure for scripts: one line, safe for a terminal. */
export function failureJson({ exit: _exit, reason: _reason, stops: _stops, ...error }: Failure): string {
  const line: ErrorLine = { error };
  return escapeHazards(JSON.stringify(line));
}
