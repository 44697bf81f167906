import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { LintError } from '../../cli/errors.ts';
import { unknownFlag } from '../../cli/input/flags.ts';
import { checkPolicy } from '../../fleet/policy/wanted/load.ts';
import { type PolicyProblem, placeText } from '../../fleet/policy/wanted/placed.ts';
import { counted } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import { policyPathsArg, readPolicyFiles } from '../../topics/policy/files.ts';
import { rulesetFindings } from '../../topics/policy/ruleset-findings.ts';
import { repositoryFields, whyNoSecret } from '../../topics/policy/run.ts';

interface PolicyFinding {
  /** The file as given on the command line, or below the folder given there. */
  readonly file: string;
  /** Counts from 1, like the column. */
  readonly line: number;
  readonly column: number;
  /** The code of a finding of rulesets lint; absent for other problems. */
  readonly code?: string;
  /** Warnings concern likely mistakes, such as empty files, and unknown parts that a newer platform may support. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export default class PolicyValidate extends ForgectlCommand<PolicyFinding[]> {
  static override summary = 'Check policy files offline';
  static override description =
    `Checks policy files together and lists every problem as FILE:LINE:COLUMN: message: invalid YAML, unknown keys, wrong types
and limits, combinations that the platform rejects, things declared twice or both declared and absent, and secrets. Unknown
fields of the platform and unknown rule types are warnings, as are empty files, pieces of define that nothing uses, and
patterns that can match no repository name; misspelled fields are errors. Rulesets are checked as by “rulesets lint”. Errors end with exit code 2. Sends no
requests and needs no login.`;
  static override examples = examples({
    'Check the folder policy': 'forgectl policy validate',
    'Check two files, in CI': 'forgectl policy validate base.yaml acme.yaml',
  });
  static override args = { path: policyPathsArg() };
  static override flags = unknownFlag;

  protected override readonly emptyText = 'No findings.';
  protected override readonly recordsName = 'findings';

  protected override readonly columns: readonly Column<PolicyFinding>[] = [
    {
      header: 'Finding',
      get: (finding) => `${placeText(finding)}: ${finding.severity === 'warning' ? 'warning: ' : ''}${finding.message}`,
      as: 'message',
      priority: 1,
    },
  ];

  async run() {
    const { args, flags } = await this.parse(PolicyValidate);
    const files = await readPolicyFiles(args.path ?? [], this.runtime.stdin);
    const options = {
      allowsUnknown: flags['allow-unknown'],
      timeoutMs: flags.timeout,
      repositoryFields: repositoryFields(this.config.root),
      whyNoSecret: whyNoSecret(this.runtime.env),
    };
    const { policy, problems, warnings } = await checkPolicy(files, options);
    const ofRulesets = await rulesetFindings(policy);
    const findings = [
      ...problems.map(finding('error')),
      ...warnings.map(finding('warning')),
      ...ofRulesets.map(({ place: { file, line, column }, code, severity, message }) => ({
        file,
        line,
        column,
        code,
        severity,
        message,
      })),
    ];
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const alsoWarnings = errors < findings.length ? ` and ${counted(findings.length - errors, 'warning')}` : '';
    const where = `${alsoWarnings} in ${counted(files.length, 'file')}.`;
    if (errors) this.failure = new LintError(`${counted(errors, 'error')}${where}`);
    else this.notice(`No errors${where}`);
    return findings;
  }
}

const finding =
  (severity: PolicyFinding['severity']) =>
  ({ place: { file, line, column }, message }: PolicyProblem): PolicyFinding => ({
    file,
    line,
    column,
    severity,
    message,
  });
