/**
 * The modules of undici that the client loads. Loading all of undici takes two to three times as long as the agent
 * alone (60 to 110 ms instead of 25), for fetch, WebSocket, caches and mocks that forgectl does not use, and replaces
 * the dispatcher of Node's fetch. undici has no `exports` map, so its files can be imported; the version is pinned, and
 * every test of the transport covers them.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
declare module 'undici/lib/dispatcher/dispatcher.js' {
  export { Dispatcher as default } from 'undici';
}
declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  export { EnvHttpProxyAgent as default } from 'undici';
}
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici';

  const connect: Dispatcher['connect'];
  export default connect;
}
