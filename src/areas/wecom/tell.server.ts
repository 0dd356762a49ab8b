import { randomBytes } from 'node:crypto'
import { unixNow } from '#src/domain/time.ts'
import { CALLBACK_PATH } from './callback.server.ts'
import { sealMessage, type WecomSeal } from './crypto.server.ts'
import { writeFlatXml } from './flatXml.ts'

/** An event as a callback of WeCom: where it is posted, signed, and its sealed body. */
export const callbackOf = (
  keys: WecomSeal,
  fields: Readonly<Record<string, string>>,
  at: number = unixNow(),
): { url: string; payload: string } => {
  const of = { timestamp: String(at), nonce: randomBytes(8).toString('hex') }
  const { sealed, msg_signature } = sealMessage(keys, writeFlatXml(fields), of)
  return {
    url: `${CALLBACK_PATH}?${new URLSearchParams({ msg_signature, ...of })}`,
    payload: writeFlatXml({ ToUserName: keys.corp_id, Encrypt: sealed, AgentID: '' }),
  }
}
type Inject = (of: {
  method: 'POST'
  url: string
  headers: Record<string, string>
  payload: string
}) => Promise<{ statusCode: number }>
/** Posts events to our own route, one after the other; throws when one is not taken. */
export const teller =
  (keys: WecomSeal, inject: Inject) =>
  async (all: readonly Readonly<Record<string, string>>[]): Promise<void> => {
    for (const fields of all) {
      const headers = { 'content-type': 'text/xml' }
      const said = await inject({ method: 'POST', headers, ...callbackOf(keys, fields) })
      if (said.statusCode !== 200) throw new Error(`the callback was answered ${said.statusCode}`)
    }
  }
