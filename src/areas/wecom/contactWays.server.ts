import type { WecomClient, WecomSaid } from './client.channel.ts'

/** A contact way that WeCom has: what it is called there, and the picture of its code. */
export type MadeWay = { config_id: string; qr_code?: string | undefined }
/**
 * The contact way of a state, made since a time (unix seconds), whose answer was lost; `said` is
 * undefined where there is none. A fault says that nobody knows: nothing may be made then.
 */
export const foundWay = async (
  client: WecomClient,
  { state, since, now }: { state: string; since: number; now: number },
): Promise<WecomSaid<MadeWay | undefined>> => {
  let cursor: string | undefined
  do {
    const page = await client.contactWays(
      { cursor },
      { start_time: since - 60, end_time: now + 60 },
    )
    if ('fault' in page) return page
    for (const { config_id } of page.said.rows) {
      const way = await client.contactWay(config_id)
      if ('said' in way && way.said.state === state) return { said: way.said }
    }
    cursor = page.said.next ?? undefined
  } while (cursor)
  return { said: undefined }
}
