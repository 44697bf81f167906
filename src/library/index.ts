/** The exports of `import 'forgectl'`. */
export {
  ApiError,
  ApiVersionError,
  AuthenticationError,
  BaseUrlError,
  ClientError,
  type FieldError,
  InvalidResponseError,
  NetworkError,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  PublicKeyError,
  RateLimitError,
  RedirectError,
  type Refusal,
  type Rename,
  RenamedError,
  ServerError,
  UnsafeRequestError,
  WebPageError,
} from '../client/errors.ts';
export { type SealedSecret, seal } from '../client/seal.ts';
export type { ExactInteger } from '../json/exact-integer.ts';
export type * from '../platform/records.ts';
export {
  type ApiResponse,
  type CallOptions,
  type CreateClientOptions,
  createClient,
  type ForgectlClient,
  type Page,
  type PagesOptions,
  type PlannedRequest,
  type RawRequest,
} from './create-client.ts';
export type { ApiEndpoint, ApiList } from './endpoint.ts';
export * from './endpoints.ts';
