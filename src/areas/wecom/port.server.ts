import type { Database } from '#src/server/db/database.ts'
import type { WecomAsked } from './ask.channel.ts'
import { noWecom, wecomClient, type WecomClient } from './client.channel.ts'
import { embeddedWecom, type EmbeddedWecom } from './embeddedWecom.channel.ts'
import type { WecomKeys } from './token.channel.ts'

/** What the callbacks of WeCom are signed and sealed with. */
type WecomCallbackKeys = {
  token: string
  /** EncodingAESKey: 43 characters, which are 32 bytes in base64 without their `=`. */
  aes_key: string
}
/** An installation's own WeCom. Without callback keys nothing that WeCom tells is heard. */
export type WecomSetup = {
  keys: WecomKeys
  api?: string | (() => Promise<string>) | undefined
  callback?: WecomCallbackKeys | null | undefined
  timeout_ms?: number
}
export type WecomPort = {
  client: WecomClient
  /** The keys of callbacks and the corp that they are for; null where none are heard. */
  callback: (WecomCallbackKeys & { corp_id: string }) | null
  /** The embedded server, where it stands in for WeCom. */
  embedded: EmbeddedWecom | undefined
  close: () => Promise<void>
}
type Of = {
  setup: WecomSetup | 'embedded' | 'none' | undefined
  database: Database
  /** A key of the installation's own for a purpose. */
  keyed: (purpose: string) => string
  heard?: (asked: WecomAsked) => void
}

const EMBEDDED_CORP = 'wwembedded00000000'
const lettersOf = (text: string): string => text.replaceAll(/[^0-9A-Za-z]/g, '0')

/**
 * How this installation reaches WeCom: with keys of its own; through the embedded server, which is
 * started when it is first asked and ends with the port; or not at all.
 */
export const openWecomPort = ({ setup, database, keyed, heard }: Of): WecomPort => {
  if (setup === 'none')
    return { client: noWecom, callback: null, embedded: undefined, close: async () => {} }
  if (typeof setup === 'object') {
    const { keys, api, callback, timeout_ms } = setup
    return {
      client: wecomClient(keys, database, {
        ...(api && { api }),
        ...(heard && { heard }),
        ...(timeout_ms && { timeout_ms }),
      }),
      callback: callback ? { ...callback, corp_id: keys.corp_id } : null,
      embedded: undefined,
      close: async () => {},
    }
  }
  const keys = { corp_id: EMBEDDED_CORP, secret: keyed('wecom secret') }
  const embedded = embeddedWecom({ database, keys })
  return {
    client: wecomClient(keys, database, {
      name: 'embedded',
      api: embedded.url,
      ...(heard && { heard }),
    }),
    callback: {
      token: lettersOf(keyed('wecom token')).slice(0, 32),
      aes_key: lettersOf(keyed('wecom aes')).slice(0, 43),
      corp_id: keys.corp_id,
    },
    embedded,
    close: embedded.close,
  }
}
