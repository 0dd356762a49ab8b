/** Messages of the app to a colleague in WeCom, and why they did not go, in words. */
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { faultOfCode, type WecomFault } from '#src/areas/wecom/wecomFault.ts'
import type { WecomAppMessage } from '#src/areas/wecom/wire.channel.ts'
import { say, type Lang } from '#src/domain/text.ts'
import { appFaults, type AppFault } from './welcome.ts'

/** A fault as a row keeps it: WeCom's errcode, or a word of ours where there is none. */
export const keptFault = ({
  code,
  kind,
}: WecomFault): { errcode: number; error: AppFault | '' } => {
  const own = kind === 'none' ? ('none' as const) : ('silent' as const)
  return { errcode: code, error: code === 0 ? own : '' }
}
/** What such a row says of its fault, in the reader's language; empty where there is none. */
export const faultWords = (of: { errcode: number; error: string }, lang: Lang): string => {
  if (of.errcode !== 0) return say(faultOfCode(of.errcode).text, lang)
  return of.error === '' ? '' : say(appFaults[of.error as AppFault], lang)
}
export type AppEnded = {
  state: 'sent' | 'failed' | 'unknown'
  errcode: number
  error: AppFault | ''
}
const ended = (state: AppEnded['state'], error: AppFault | '' = ''): AppEnded => ({
  state,
  errcode: 0,
  error,
})
const faulted = (fault: WecomFault): AppEnded => ({
  state: fault.unknown ? 'unknown' : 'failed',
  ...keptFault(fault),
})
/** Writes to a colleague in the name of the app, message by message, up to the first that fails. */
export const writeAsApp = async (
  client: Pick<WecomClient, 'agents' | 'writeToMember'>,
  touser: string,
  messages: readonly WecomAppMessage[],
): Promise<AppEnded> => {
  const apps = await client.agents()
  if ('fault' in apps) return faulted(apps.fault)
  const [app] = apps.said
  if (!app) return ended('failed', 'no_app')
  for (const message of messages) {
    const answer = await client.writeToMember({ touser, agentid: app.agentid, ...message })
    if ('fault' in answer) return faulted(answer.fault)
    if (answer.said.invaliduser) return ended('failed', 'unseen')
  }
  return messages.length === 0 ? ended('failed', 'empty') : ended('sent')
}
/** What was left between being taken and its answer: nobody knows what came of it. */
export const leftOne: AppEnded = ended('unknown', 'left')
export const failedBy = (error: AppFault): AppEnded => ended('failed', error)
