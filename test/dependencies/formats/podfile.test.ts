import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

// CycloneDX/cdxgen, shortened
it('counts subspecs as their pod', async () => {
  const text = `PODS:
  - Alamofire (3.0.0)
  - GoogleAnalytics (3.23.0):
    - GoogleUtilities/UserDefaults (~> 7.11)
  - GoogleUtilities/Environment (7.13.3):
    - GoogleUtilities/Privacy
    - PromisesObjC (< 3.0, >= 1.2)
  - GoogleUtilities/Privacy (7.13.3)
  - GoogleUtilities/UserDefaults (7.13.3):
    - GoogleUtilities/Privacy
  - PromisesObjC (2.4.0)

DEPENDENCIES:
  - Alamofire (= 3.0)
  - GoogleAnalytics
  - GoogleAnalytics (~> 3.1)

SPEC REPOS:
  trunk:
    - Alamofire
    - GoogleAnalytics
    - GoogleUtilities
    - PromisesObjC

SPEC CHECKSUMS:
  Alamofire: b61782387f81bcc538a0284cf2bb5d7995cd0a80

COCOAPODS: 1.16.2
`;
  expect(lines(await parse('ios/Podfile.lock', text))).toEqual([
    'pkg:cocoapods/Alamofire@3.0.0 direct ?',
    'pkg:cocoapods/GoogleAnalytics@3.23.0 direct ? → pkg:cocoapods/GoogleUtilities@7.13.3',
    'pkg:cocoapods/GoogleUtilities@7.13.3 indirect ? → pkg:cocoapods/PromisesObjC@2.4.0',
    'pkg:cocoapods/PromisesObjC@2.4.0 indirect ?',
  ]);
});

// zulip/zulip-mobile and oss-review-toolkit/ort, shortened
it('omits local pods, lists their dependencies as direct, and includes other sources', async () => {
  const text = `PODS:
  - boost (1.76.0)
  - fmt (6.2.1)
  - MLHudAlert (0.0.4)
  - Own (1.0.0)
  - RCT-Folly (2021.06.28.00-v2):
    - boost
    - fmt (~> 6.2.1)
  - React-Core (0.68.7):
    - RCT-Folly (= 2021.06.28.00-v2)
  - RNSentry (4.15.2):
    - React-Core
    - Sentry (= 7.31.5)
  - Sentry (7.31.5)

DEPENDENCIES:
  - boost (from \`../node_modules/react-native/third-party-podspecs/boost.podspec\`)
  - MLHudAlert (from \`https://github.com/MacLabs/MLHudAlert.git\`)
  - Own
  - React-Core/DevSupport (from \`../node_modules/react-native/\`)
  - "RNSentry (from \`../node_modules/@sentry/react-native\`)"

SPEC REPOS:
  "https://ci:secret@git.example.com/specs.git":
    - Own
  https://github.com/CocoaPods/Specs.git:
    - fmt
    - Sentry

EXTERNAL SOURCES:
  boost:
    :podspec: "../node_modules/react-native/third-party-podspecs/boost.podspec"
  MLHudAlert:
    :branch: main
    :git: https://github.com/MacLabs/MLHudAlert.git
  React-Core:
    :path: "../node_modules/react-native/"
  RNSentry:
    :path: "../node_modules/@sentry/react-native"

CHECKOUT OPTIONS:
  MLHudAlert:
    :commit: 3f23fa41632f8935fed028b04335576633ec53a2
    :git: https://github.com/MacLabs/MLHudAlert.git

COCOAPODS: 1.16.2
`;
  expect(lines(await parse('Podfile.lock', text))).toEqual([
    'pkg:cocoapods/boost@1.76.0 direct ?',
    'pkg:cocoapods/fmt@6.2.1 indirect ?',
    'pkg:cocoapods/MLHudAlert@0.0.4?vcs_url=git%2Bhttps:%2F%2Fgithub.com%2FMacLabs%2FMLHudAlert.git%403f23fa41632f8935fed028b04335576633ec53a2 direct ?',
    'pkg:cocoapods/Own@1.0.0?repository_url=https:%2F%2Fgit.example.com%2Fspecs.git direct ?',
    'pkg:cocoapods/RCT-Folly@2021.06.28.00-v2 direct ? → pkg:cocoapods/boost@1.76.0 pkg:cocoapods/fmt@6.2.1',
    'pkg:cocoapods/Sentry@7.31.5 direct ?',
  ]);
});

it('reads a Podfile.lock without pods, and rejects other files', async () => {
  expect(lines(await parse('Podfile.lock', 'PODFILE CHECKSUM: d80831c1\n\nCOCOAPODS: 1.16.2\n'))).toEqual([]);
  await expect(parse('Podfile.lock', 'a: 1\n')).rejects.toThrow('not a CocoaPods lockfile');
  await expect(parse('Podfile.lock', 'PODS:\n  - A (1)\n  - hunter2\n')).rejects.toThrow(/^pod 2 has no version$/);
});
