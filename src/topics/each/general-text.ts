/**
 * Returns a text about a target with `{}` in place of its name, but not within a longer one, such as that of a repository
 * that `acme/site-2` is now. Names consist of letters, digits, `-`, `_`, `.` and a slash.
 */
export const generalText = (text: string, target: string): string =>
  text.replaceAll(
    new RegExp(String.raw`(?<![\w.-])${target.replaceAll('.', String.raw`\.`)}(?![\w-]|\.\w)`, 'g'),
    '{}',
  );
