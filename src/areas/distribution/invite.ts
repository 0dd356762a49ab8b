import { mobileOf } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { plusMostBp, type InviteState } from './sellers.ts'

/** The most phones of one batch. */
export const PHONES_MOST = 500
/** The most messages to one phone on one day. */
export const SMS_MOST = 3
export const INVITE_DAYS = 30

type Facts = { status: InviteState; phone?: string | null | undefined }
const over: Readonly<Record<Exclude<InviteState, 'active'>, Text>> = {
  used: ['邀请已使用', 'The invitation was used'],
  stopped: ['邀请已停用', 'The invitation was stopped'],
  expired: ['邀请已过期', 'The invitation is over'],
}
/** True, or why an invitation can't be used any more, nor be stopped or sent again. */
export const inviteOpen = ({ status }: Pick<Facts, 'status'>): true | Text =>
  status === 'active' || over[status]
/** True, or why nothing can be sent to whoever is invited. */
export const inviteCanSend = (row: Facts & { has_phone: boolean }): true | Text => {
  const open = inviteOpen(row)
  if (open !== true) return open
  return row.has_phone || ['没有填写手机号，请复制链接', 'It has no phone: copy the link']
}
/** The page of the mini-program that an invitation opens. */
export const inviteLink = (code: string): string => `/pages/distribution/join?code=${code}`

/** Why so much on top is too much for a level; undefined where it is not. */
export const plusFault = (plus_bp: number, level_no: number): Text | undefined => {
  const most = plusMostBp(level_no) / 100
  return plus_bp <= plusMostBp(level_no)
    ? undefined
    : [`${level_no} 级最多加成 ${most}%`, `Level ${level_no} has at most ${most}% on top`]
}

export type Pasted = { phones: string[]; repeated: string[]; wrong: string[] }
/**
 * Phones of a pasted text, one a line or with commas between: each once, those that were there more
 * than once, and what is no mainland mobile.
 */
export const phonesOf = (text: string): Pasted => {
  const found = new Set<string>()
  const repeated = new Set<string>()
  const wrong: string[] = []
  for (const typed of text.split(/[\n,，;；、\t]+/)) {
    if (typed.trim() === '') continue
    const phone = mobileOf(typed.trim())
    if (phone === undefined) wrong.push(typed.trim().slice(0, 30))
    else if (found.has(phone)) repeated.add(phone)
    else found.add(phone)
  }
  return { phones: [...found], repeated: [...repeated], wrong }
}
