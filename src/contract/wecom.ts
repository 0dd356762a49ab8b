import { z } from 'zod'
import { timelineKinds } from '#src/areas/wecom/timeline.ts'
import {
  addWays,
  changeKinds,
  followStates,
  groupStates,
  joinScenes,
  quitScenes,
  staffStates,
  stages,
  syncKinds,
  syncStates,
  transferKinds,
  transferStates,
} from '#src/areas/wecom/wecom.ts'
import { placed } from './call.ts'
import type { callsOf } from './record.ts'
import { id, keysOf, page, unix } from './shapes.ts'

/** A run that brings the mirror up to date, and how far it is. */
export const syncRun = z.object({
  id,
  kind: keysOf(syncKinds),
  state: keysOf(syncStates),
  read_n: z.int(),
  changed_n: z.int(),
  errcode: z.int(),
  error: z.string(),
  faults: z.array(z.object({ key: z.string(), why: z.string() })),
  started_at: unix,
  finished_at: unix.nullable(),
})
export const syncStarted = z.object({ run: syncRun, joined: z.boolean() })
/** What differs from the run before, or was bound by hand. */
export const changeRow = z.object({
  id,
  object: z.enum(['department', 'staff']),
  name: z.string(),
  kind: keysOf(changeKinds),
  was: z.string(),
  now: z.string(),
  at: unix,
})
export const staffState = keysOf(staffStates)
/** A colleague to choose. */
export const staffPick = z.object({ id, name: z.string(), userid: z.string(), place: z.string() })
/** A hand-over, and what WeCom said of it. */
export const transferRow = z.object({
  id,
  kind: keysOf(transferKinds),
  what: z.string(),
  from_name: z.string(),
  to_name: z.string(),
  status: keysOf(transferStates),
  fail_code: z.int(),
  fail_reason: z.string(),
  sent_at: unix.nullable(),
  created_at: unix,
  done_at: unix.nullable(),
})

/** How one adviser follows or followed a customer, and what they noted. */
export const relation = z.object({
  id,
  staff_id: id,
  name: z.string(),
  staff_status: staffState,
  malls: z.string(),
  status: keysOf(followStates),
  stage: keysOf(stages),
  add_way: keysOf(addWays),
  source_state: z.string(),
  /** An adviser of another mall: what they noted is not told. */
  hidden: z.boolean(),
  remark: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  added_at: unix,
  lost_at: unix.nullable(),
})
export type Relation = z.output<typeof relation>
/** A chat that a customer is or was in. */
export const customerChat = z.object({
  id,
  /** Empty for a chat of a mall that the person does not see. */
  name: z.string(),
  seen: z.boolean(),
  status: keysOf(groupStates),
  joined_at: unix,
  left_at: unix.nullable(),
})
/** Somebody in a chat, as the pages of chats show them. */
export const chatPerson = z.object({
  id,
  name: z.string(),
  kind: z.enum(['staff', 'customer']),
  customer_id: id.nullable(),
  member: z.object({ id, nickname: z.string(), uid: z.string(), level: z.int() }).nullable(),
  join_scene: keysOf(joinScenes),
  inviter_name: z.string(),
  joined_at: unix,
  left_at: unix.nullable(),
  quit_scene: keysOf(quitScenes).nullable(),
  /** Marked as somebody who is in several chats. */
  is_double: z.boolean(),
  /** The other chats they are in, of those that the person sees; and how many there are in all. */
  groups: z.array(z.object({ id, name: z.string() })),
  groups_n: z.int().min(0),
})
/** `removal`: whether the owner was asked to remove them; `orders_n`: paid orders since they joined. */
export type ChatPerson = z.output<typeof chatPerson> & {
  removal?: 'none' | 'open' | 'done'
  orders_n?: number
}
const timelineEntry = z.object({
  /** Names the thing that it tells of: no two entries have the same. */
  key: z.string(),
  kind: keysOf(timelineKinds),
  at: unix,
  who: z.string(),
  other: z.string(),
  text: z.string(),
  state: z.string(),
})
export type TimelineEntry = z.output<typeof timelineEntry>
/** The call that tells a customer's timeline, a page at a time; `view` is its page's right. */
export const timelineCall = (call: ReturnType<typeof callsOf>, view: string) =>
  call.read('timeline', ['客户时间线', 'Timeline of a customer'], {
    input: z.object({ id, page: page.page, pageSize: z.int().min(1).max(100).default(40) }),
    output: z.object({ list: z.array(timelineEntry), more: z.boolean() }),
    touches: [
      'wecom_customer',
      'wecom_group',
      'wecom_transfer',
      'wecom_send',
      'wecom_task',
      'order',
      'coupon',
    ],
    scope: placed('wecom_customer', 'id'),
    permit: view,
  })
