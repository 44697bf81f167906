import { describe, expect, it } from 'vitest';
import { misspellings } from '../../../../src/fleet/policy/wanted/misspellings.ts';
import { misspelled } from '../../../../src/platform/suggest.ts';

const pattern = (...names: readonly string[]) => new RegExp(`^${misspellings(names)}$`, 'u');

/** Returns all words that differ from a name by one letter, or in the order of two. */
function withOneMistake(name: string): readonly string[] {
  const at = [...name, ''].map((_, index) => index);
  return at.flatMap((index) => {
    const [start, rest] = [name.slice(0, index), name.slice(index)];
    const letters = ['a', 'e', 's', 'z', '_', '-', 'A', '1'];
    return [
      ...letters.flatMap((letter) => [`${start}${letter}${rest}`, `${start}${letter}${rest.slice(1)}`]),
      `${start}${rest.slice(1)}`,
      `${start}${rest.slice(1, 2)}${rest.slice(0, 1)}${rest.slice(2)}`,
    ];
  });
}

// cspell:ignore Anforcement actorss actros
describe('the pattern of misspellings', () => {
  it.each([
    'id',
    'was',
    'name',
    'rules',
    'manage',
    'actor_id',
    'settings',
    'enforcement',
    'has_wiki',
    'required_approving_review_count',
    'secret_scanning_push_protection_custom_link',
  ])('has every misspelling of %s by one mistake', (name) => {
    const words = withOneMistake(name).filter((word) => word !== name);
    const found = words.filter((word) => pattern(name).test(word));
    expect(found).toEqual(words.filter((word) => misspelled(word, [name]) !== undefined));
  });

  it.each(['ENFORCEMENT', 'Anforcement', 'bypassActors', 'bypass-actors', 'bypass-actorss', 'bypass_actros'])(
    'has %s',
    (word) => {
      expect(pattern('enforcement', 'bypass_actors').test(word)).toBe(true);
    },
  );

  it.each(['rules', 'rule', 'ruleset', 'conditions'])('does not have %s', (word) => {
    expect(pattern('rules', 'rule').test(word)).toBe(false);
  });
});
