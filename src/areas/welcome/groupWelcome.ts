import type { Text } from '#src/domain/text.ts'
import { sayingFaults, type Saying } from './saying.ts'

/** How far WeCom has a template as it is written here. */
export const templateWorks = {
  waiting: ['同步中', 'On its way'],
  done: ['已同步', 'In WeCom'],
  failed: ['同步失败', 'Refused'],
} as const satisfies Record<string, Text>
export type TemplateWork = keyof typeof templateWorks
/** How a reminder of an owner stands. */
export const noticeStates = {
  waiting: ['等待发送', 'Waits'],
  sending: ['发送中', 'Under way'],
  sent: ['已提醒', 'Reminded'],
  failed: ['提醒失败', 'Failed'],
  unknown: ['结果未知', 'Not known'],
} as const satisfies Record<string, Text>
export type NoticeState = keyof typeof noticeStates

/** WeCom keeps so many templates for a corp. */
export const TEMPLATES_MOST = 100
const GROUP_TEXT_BYTES = 3000
export const GROUP_CARDS_MOST = 1
/** Owners are reminded again after so long (seconds). */
const REMINDED_AGAIN = 3600
/** Joins of a chat that follow each other within so long get one message (seconds). */
export const MERGED_WITHIN = 600
export const CHATS_MOST = 100
/** The only name that WeCom fills in, and what it calls it. */
const NICKNAME = '{客户昵称}'
const WECOM_NICKNAME = '%NICKNAME%'

/** What keeps a template from being saved, at the field that it is about. */
export const templateFaults = (of: Saying): Partial<Record<'text' | 'attachment', Text>> => {
  const { text, attachments } = sayingFaults(of, GROUP_TEXT_BYTES, GROUP_CARDS_MOST)
  const other = ['{员工姓名}', '{门店名}'].find(one => of.text.includes(one))
  const wrong: Text | undefined = other
    ? [
        `入群欢迎语不支持 ${other}，可用：${NICKNAME}`,
        `A group has no ${other}: use ${NICKNAME} alone`,
      ]
    : text
  return { ...(wrong && { text: wrong }), ...(attachments && { attachment: attachments }) }
}
/** The text as WeCom takes it. */
export const wecomText = (text: string): string => text.replaceAll(NICKNAME, WECOM_NICKNAME)

type Standing = { chats_n: number; notified_at: number | null; work: TemplateWork }
export type TemplateVerb = 'apply' | 'unapply' | 'notifyOwner'
const anyChat = ({ chats_n }: Standing): Text | undefined =>
  chats_n > 0 ? undefined : ['还没有应用到群', 'No group has it yet']
const why: Readonly<Record<TemplateVerb, (of: Standing, now: number) => Text | undefined>> = {
  apply: of =>
    of.work === 'failed'
      ? ['企微未接受这个模板，请先编辑', 'WeCom refused it: edit it first']
      : undefined,
  unapply: anyChat,
  notifyOwner: (of, now) => {
    const none = anyChat(of)
    if (none) return none
    return of.notified_at !== null && of.notified_at > now - REMINDED_AGAIN
      ? ['1 小时内已通知过群主，请稍后再试', 'Owners were reminded within the hour: wait']
      : undefined
  },
}
/** Whether that can be done with a template at a time (unix seconds), or why not. */
export const templateCan = (verb: TemplateVerb, of: Standing, now: number): true | Text =>
  why[verb](of, now) ?? true
