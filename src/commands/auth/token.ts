import { notLoggedIn } from '../../cli/account/connection.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { PlainText } from '../../cli/result/result.ts';

export default class AuthToken extends ForgectlCommand<PlainText> {
  static override summary = 'Print the token in use';
  static override description =
    `Prints only the token that commands would send, for use with other tools. Keep the output private: anyone who has
the token has your access. Sends no requests, except for an app: then it prints a new installation token, which expires
within an hour. Exits with code 4 without a token.`;
  static override examples = examples({
    'Send a request with curl':
      'curl -H "Authorization: Bearer $(forgectl auth token)" https://ghe.example.com/api/v3/user',
    'Print the token of another profile': 'forgectl auth token --profile staging',
  });

  /** Not masked: printing the token is the purpose of the command. */
  protected override readonly showsSecrets = true;

  async run() {
    await this.parse(AuthToken);
    const connection = await this.session.connection();
    if (!connection.credential) throw notLoggedIn(connection);
    const { token } = connection.credential;
    return new PlainText(token ?? (await this.newToken()));
  }

  private async newToken(): Promise<string> {
    const { installationToken } = await import('../../cli/account/app/identify.ts');
    return (await installationToken(await this.session.client())).token;
  }
}
