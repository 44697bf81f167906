/** Ranges that Yarn 2 and later replace before they resolve them: https://yarnpkg.com/configuration/manifest#resolutions */
import { isMap, isScalar } from 'yaml';
import { composeYaml, YamlError } from '../../json/yaml.ts';
import { type Companions, ParseError, parseJsonBeside } from '../dependency-graph.ts';
import { rangesIn } from './npm-package.ts';

/** A package as a lockfile resolves it, such as `debug` and `npm:4.4.1`. */
export interface Locator {
  readonly name: string;
  readonly range: string;
}

/** Returns the range with the protocol that Yarn adds to versions, ranges and tags. */
export const withProtocol = (range: string): string => (/[:/]/.test(range) ? range : `npm:${range}`);

/**
 * Returns a function that returns the range with which a project replaces another, by `resolutions` or a catalog.
 * It throws ParseError.
 */
export function rangeReplacements(
  companions: Companions,
): (from: Locator, name: string, range: string) => string | undefined {
  const resolutions = resolutionsIn(parseJsonBeside(companions, 'package.json'));
  let catalogs: Catalogs | undefined;
  return (from, name, range) => {
    const resolution = resolutions
      .get(name)
      ?.find(
        ({ parent, wanted }) =>
          (parent === undefined || (parent.name === from.name && [undefined, from.range].includes(parent.range))) &&
          (wanted === undefined || wanted === withProtocol(range)),
      )?.range;
    if (resolution !== undefined || !range.startsWith(catalogProtocol)) return resolution;
    catalogs ??= catalogsIn(companions);
    return catalogs.get(range.slice(catalogProtocol.length))?.get(name);
  };
}

interface Resolution {
  readonly parent: { readonly name: string; readonly range: string | undefined } | undefined;
  /** The range that is replaced; any range if undefined. */
  readonly wanted: string | undefined;
  readonly range: string;
}

/** Matches `ms`, `ms@npm:^2.1.3`, `debug/ms` and `debug@npm:4.4.1/ms`. Yarn ignores globs and longer paths. */
const pattern = /^(?:((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?\/)?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?$/;

function resolutionsIn(manifest: unknown): ReadonlyMap<string, readonly Resolution[]> {
  const byName = new Map<string, Resolution[]>();
  for (const [key, range] of rangesIn(manifest, ['resolutions'])) {
    const [, parent, version, name, wanted] = pattern.exec(key) ?? [];
    if (name === undefined) continue;
    const all = byName.get(name) ?? [];
    byName.set(name, all);
    all.push({
      parent: parent === undefined ? undefined : { name: parent, range: version && withProtocol(version) },
      wanted: wanted && withProtocol(wanted),
      range,
    });
  }
  return byName;
}

const catalogProtocol = 'catalog:';

/** Ranges by catalog and package. The default catalog has no name. */
type Catalogs = ReadonlyMap<string, ReadonlyMap<string, string>>;

function catalogsIn(companions: Companions): Catalogs {
  const text = companions.read('.yarnrc.yml');
  if (text === undefined) return new Map();
  try {
    const settings = fieldsOf(composeYaml(text).document?.contents);
    const catalogs = new Map([['', settings.get('catalog')], ...fieldsOf(settings.get('catalogs'))]);
    return new Map([...catalogs].map(([name, catalog]) => [name, textsOf(catalog)]));
  } catch (error) {
    if (error instanceof YamlError) throw new ParseError(`.yarnrc.yml beside it ${error.message}`);
    throw error;
  }
}

const fieldsOf = (node: unknown): ReadonlyMap<string, unknown> =>
  new Map(
    isMap(node) ? node.items.flatMap(({ key, value }) => (isScalar(key) ? [[key.source ?? '', value]] : [])) : [],
  );

/** Returns the scalars as they are written: `6.0` is a version. */
const textsOf = (node: unknown): ReadonlyMap<string, string> =>
  new Map([...fieldsOf(node)].flatMap(([key, value]) => (isScalar(value) ? [[key, value.source ?? '']] : [])));
