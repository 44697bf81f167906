import { expect, it } from 'vitest';
import { lockfileFormat } from '../../../src/dependencies/formats.ts';
import { lines, parse } from '../graph.ts';

it('has the scope of packages that are only in the classpaths of source sets', async () => {
  const text = `# This is a Gradle generated file for dependency locking.
com.google.guava:guava:33.2.0-jre=compileClasspath,runtimeClasspath,testRuntimeClasspath
org.junit:junit:5.0=integrationTestCompileClasspath,testRuntimeClasspath
com.puppycrawl.tools:checkstyle:10.17.0=checkstyle
org.latest:latest:1.0=latestRuntimeClasspath
empty=annotationProcessor
`;
  expect(lines(await parse('gradle.lockfile', text))).toEqual([
    'pkg:maven/com.google.guava/guava@33.2.0-jre ? runtime',
    'pkg:maven/org.junit/junit@5.0 ? development',
    'pkg:maven/com.puppycrawl.tools/checkstyle@10.17.0 ? ?',
    'pkg:maven/org.latest/latest@1.0 ? runtime',
  ]);
});

it('reads the file of a single configuration, as Gradle wrote them before version 7', async () => {
  const text = '# This is a Gradle generated file\ncom.google.guava:guava:33.2.0-jre\n';
  const folder = 'app/gradle/dependency-locks';
  expect(lines(await parse(`${folder}/runtimeClasspath.lockfile`, text))).toEqual([
    'pkg:maven/com.google.guava/guava@33.2.0-jre ? runtime',
  ]);
  expect(lines(await parse(`${folder}/testCompileClasspath.lockfile`, text))).toEqual([
    'pkg:maven/com.google.guava/guava@33.2.0-jre ? development',
  ]);
  await expect(parse(`${folder}/checkstyle.lockfile`, 'guava')).rejects.toMatchObject({
    message: 'expected group:artifact:version',
    line: 1,
  });
  expect(lockfileFormat('app/locks/runtimeClasspath.lockfile')).toBeUndefined();
});

it('reports the line of anything else', async () => {
  await expect(parse('buildscript-gradle.lockfile', 'a:b:1=c\nguava\n')).rejects.toMatchObject({
    message: 'expected group:artifact:version=configurations',
    line: 2,
  });
});
