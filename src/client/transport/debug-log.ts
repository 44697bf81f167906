/** Output of `--debug`: requests and responses, masked and numbered so that pairs can be matched. */

import { maskHeader, responseHeader, secretMask } from '../../json/secrets.ts';
import type { HttpResponse } from '../http.ts';
import type { Redactor } from '../redact.ts';
import type { HttpRequest } from '../request.ts';

/** Receives the result of one exchange. */
export interface Report {
  answered(response: HttpResponse): void;
  failed(error: Error): void;
}

/** Writes requests and responses line by line. */
export class DebugLog {
  readonly #write: (line: string) => void;
  readonly #redactor: Redactor;
  #count = 0;

  constructor(write: (line: string) => void, redactor: Redactor) {
    this.#write = write;
    this.#redactor = redactor;
  }

  /** `secretResponse`: hides the body of a successful response. */
  sent({ method, url, headers, body }: HttpRequest, secretResponse = false): Report {
    const mark = `[${++this.#count}]`;
    const started = performance.now();
    const elapsed = () => `${Math.round(performance.now() - started)} ms`;
    this.#tell(`${mark} >`, [`${method} ${url}`, ...requestHeaderLines(headers), ...bodyLines(body)]);
    return {
      answered: (response) => {
        const id = Object.entries(response.headers).find(([name]) => /(?:^|-)request-id$/.test(name))?.[1];
        const first = `${response.status} in ${elapsed()}${id ? `, request id ${id}` : ''}`;
        const answer = secretResponse && response.status < 300 ? secretMask : response.body.toString();
        this.#tell(`${mark} <`, [first, ...headerLines(response.headers), ...bodyLines(answer)]);
      },
      failed: (error) => this.#tell(`${mark} !`, [`${error.message}, after ${elapsed()}`]),
    };
  }

  #tell(mark: string, lines: readonly string[]): void {
    // Masked as one text, to find secrets that span several lines.
    for (const line of this.#redactor.message(lines.join('\n')).split('\n')) this.#write(`${mark} ${line}`);
  }
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => responseHeader(name, value));

/** Headers as forgectl sets them. The token is masked as a known secret. Callers may set others, which may carry a key. */
const ownHeader =
  /^(?:accept-encoding: (?:gzip, br|identity)|authorization: Bearer [^\s,;"']+|user-agent: [\w.-]+\/\d.*)$/i;

const requestHeaderLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => {
    const line = `${name}: ${value}`;
    return ownHeader.test(line) ? line : `${name}: ${maskHeader(name, value)}`;
  });

const bodyLines = (body: string | undefined) => (body ? [body] : []);
