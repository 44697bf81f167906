/**
 * Returns a text about a target with `{}` in place of its name, but not within a longer one, such as that of a repository
 * that `acme/site-2` is now. Names consist of letters, digits, `-`, `_`, `.` and a slash.
 */
export const generalText = (text: string, target: string): string =>
  // Not a pattern of the target, which may be too long for one.
  text.replaceAll(target, (found: string, at: number) => {
    const after = at + target.length;
    const isPart = /[\w.-]/.test(text.charAt(at - 1)) || /^(?:[\w-]|\.\w)/.test(text.slice(after, after + 2));
    return isPart ? found : '{}';
  });
