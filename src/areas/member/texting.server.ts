import { deliver } from '#src/areas/notice/notify.server.ts'
import type { Install } from '#src/server/call/implement.ts'
import type { TextState } from './texting.ts'

const TRIES_MOST = 3
/** A text that waits to be sent to a member, and how often it was tried. */
type Queued = { id: number; phone: string; text: string; tries: number }
type Tried = { state: TextState; tries: number; answer: string; sent_at?: number }
/**
 * Sends texts by SMS, three tries each, and has each try saved; stops where the gateway is silent.
 * Answers how many came to an end.
 */
export const sendTexts = async (
  install: Pick<Install, 'gateways'>,
  queued: readonly Queued[],
  now: number,
  save: (one: Queued, tried: Tried) => Promise<unknown>,
): Promise<number> => {
  let n = 0
  for (const one of queued) {
    const tries = one.tries + 1
    const said = await deliver(install, { channel: 'sms', target: one.phone }, one.text)
    const failed = tries >= TRIES_MOST ? ('failed' as const) : ('queued' as const)
    const state = said.ok ? ('sent' as const) : failed
    const answer = said.answer.slice(0, 255)
    await save(one, { state, tries, answer, ...(said.ok && { sent_at: now }) })
    if (state !== 'queued') n++
    if (said.silent) break
  }
  return n
}
