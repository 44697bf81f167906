/** A whole number that JavaScript has no number for. `JSON.stringify` writes its digits. */
export interface ExactInteger {
  readonly rawJSON: string;
}
