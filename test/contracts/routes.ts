/** Requests on the wire → declared routes, worked out anew so that the code under test does not judge itself. */

/** Route templates, as patterns; those with more literal segments come first. */
export function routeMatcher(routes: readonly string[]): (method: string, path: string) => string | undefined {
  const patterns = routes
    .map((route) => {
      const [method, template = ''] = route.split(' ');
      const pattern = template.replace(/\{[^}]+\}|<alerts>/g, '[^/]+');
      return { route, method, pattern: new RegExp(`^${pattern}$`), parameters: template.split('{').length };
    })
    .sort((one, other) => one.parameters - other.parameters);
  return (method, path) => patterns.find((each) => each.method === method && each.pattern.test(path))?.route;
}
