/** An integer that a JavaScript number cannot represent. `JSON.stringify` writes its digits. */
export interface ExactInteger {
  readonly rawJSON: string;
}
