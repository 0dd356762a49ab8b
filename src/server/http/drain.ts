import type { Server, ServerResponse } from 'node:http'

const QUIET_MS = 200
const isStream = (response: ServerResponse) =>
  String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')

/**
 * Watches a server's requests; `drain` takes no new connections and answers once all that was
 * accepted is answered, or `withinMs` has passed. Live streams are not waited for.
 */
export const watchRequests = (server: Server): { drain: (withinMs: number) => Promise<void> } => {
  const pending = new Set<ServerResponse>()
  let draining = false
  server.on('request', (_, response) => {
    pending.add(response)
    // A kept connection would go on sending requests to a server that is leaving.
    if (draining) response.shouldKeepAlive = false
    response.once('close', () => pending.delete(response))
  })
  return {
    drain: async withinMs => {
      draining = true
      for (const response of pending) response.shouldKeepAlive = false
      server.close()
      // Over is what has been quiet for a moment: a request may be on its way on a connection that
      // was taken before.
      for (
        let now = Date.now(), end = now + withinMs, busy = now;
        now < end && now - busy < QUIET_MS;
        now = Date.now()
      ) {
        if ([...pending].some(response => !isStream(response))) busy = now
        await new Promise(again => setTimeout(again, 20))
      }
    },
  }
}
