import { notLoggedIn } from '../../cli/account/connection.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { PlainText } from '../../cli/result/result.ts';

export default class AuthToken extends ForgectlCommand<PlainText> {
  static override summary = 'Print the token in use';
  static override description =
    `Prints the token that commands would send, and nothing else, for tools that need one of their own. Take care where it goes: whoever has
it can do what you can. Nothing is sent. Exits with 4 when there is no token.`;
  static override examples = [
    {
      description: 'For another client',
      command: 'curl -H "Authorization: Bearer $(<%= config.bin %> auth token)" https://ghe.example.com/api/v3/user',
    },
    { description: 'Of another profile', command: '<%= config.bin %> auth token --profile staging' },
  ];

  /** The token is what the command exists to print. */
  protected override readonly showsSecrets = true;

  async run() {
    await this.parse(AuthToken);
    const connection = await this.session.connection();
    if (!connection.credential) throw notLoggedIn(connection);
    return new PlainText(connection.credential.token);
  }
}
