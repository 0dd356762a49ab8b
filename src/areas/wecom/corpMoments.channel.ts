import { createHash } from 'node:crypto'
import { z } from 'zod'
import { dateOf } from '#src/domain/time.ts'
import {
  afterOf,
  mayContact,
  no,
  reads,
  writes,
  type Corp,
  type CorpMoment,
  type CorpRoute,
} from './corp.channel.ts'

const E = '/cgi-bin/externalcontact'
const A_MINUTE = 10
const A_MONTH = 4
const TEXT_MOST = 2000
const IMAGES_MOST = 9
/** The job that makes a moment takes so long, and most members publish it within a minute. */
const JOB_S = 3
const PUBLISHED_S = 60
const file = z.object({ media_id: z.string().min(1) })
const attached = z.discriminatedUnion('msgtype', [
  z.object({ msgtype: z.literal('image'), image: file }),
  z.object({ msgtype: z.literal('video'), video: file }),
  z.object({
    msgtype: z.literal('link'),
    link: file.extend({ title: z.string().optional(), url: z.string().min(1) }),
  }),
])
const moment = z.object({
  text: z.object({ content: z.string() }).optional(),
  attachments: z.array(attached).default([]),
  visible_range: z
    .object({
      sender_list: z
        .object({
          user_list: z.array(z.string()).default([]),
          department_list: z.array(z.number()).default([]),
        })
        .optional(),
      external_contact_list: z.object({ tag_list: z.array(z.string()).default([]) }).optional(),
    })
    .optional(),
})
type Asked = z.infer<typeof moment>
const check = ({ text, attachments }: Asked): void => {
  if (!text?.content && attachments.length === 0) no(40063, 'text or attachments')
  if ([...(text?.content ?? '')].length > TEXT_MOST) no(45002, 'text too long')
  const others = attachments.filter(one => one.msgtype !== 'image').length
  if (others > 1 || (others === 1 && attachments.length > 1)) no(41065, 'one video or link alone')
  if (attachments.length > IMAGES_MOST) no(41064, 'too many pictures')
}
const sendersOf = async (corp: Corp, { visible_range }: Asked) => {
  const { user_list = [], department_list = [] } = visible_range?.sender_list ?? {}
  const isAll = user_list.length === 0 && department_list.length === 0
  const able = (await corp.list('user')).filter(({ body }) => mayContact(body))
  const senders = able.filter(
    ({ key, body }) =>
      isAll ||
      user_list.includes(key) ||
      body.department.some(one => department_list.includes(one)),
  )
  const known = new Set(able.map(one => one.key))
  return {
    senders: senders.map(one => one.key),
    invalid_users: user_list.filter(userid => !known.has(userid)),
  }
}
/** Whether a member has published it by now: one in eight does not. */
const isPublished = (of: CorpMoment, userid: string, now: number): boolean =>
  Math.min(now, of.canceled_at ?? now) >= of.create_time + PUBLISHED_S &&
  createHash('sha256').update(`${of.moment_id}${userid}`).digest()[0]! % 8 !== 0

const monthOf = (at: number): string => dateOf(at).slice(0, 7)
/**
 * The friends who see a moment, by the member who published it: those with one of its tags, but for
 * those who saw as many of the corp's moments before in that month as anybody may.
 */
const seenOf = async (corp: Corp, of: CorpMoment): Promise<ReadonlyMap<string, string[]>> => {
  const before = (await corp.list('moment'))
    .map(one => one.body)
    .filter(
      one =>
        monthOf(one.create_time) === monthOf(of.create_time) && one.create_time <= of.create_time,
    )
    .toSorted((a, b) => a.create_time - b.create_time || (a.moment_id < b.moment_id ? -1 : 1))
  const friends = await corp.list('external')
  const had = new Map<string, number>()
  const seenBy = (one: CorpMoment): ReadonlyMap<string, string[]> => {
    const seen = new Map<string, string[]>()
    for (const { key, body } of friends) {
      const via = body.follow_user.filter(
        ({ userid, tags = [] }) =>
          one.senders.includes(userid) &&
          isPublished(one, userid, corp.now) &&
          (one.tags.length === 0 || tags.some(tag => one.tags.includes(tag.tag_id ?? ''))),
      )
      if (via.length === 0 || (had.get(key) ?? 0) >= A_MONTH) continue
      had.set(key, (had.get(key) ?? 0) + 1)
      for (const { userid } of via) seen.set(userid, [...(seen.get(userid) ?? []), key])
    }
    return seen
  }
  let last: ReadonlyMap<string, string[]> = new Map()
  for (const one of before) {
    last = seenBy(one)
    if (one.moment_id === of.moment_id) break
  }
  return last
}
const limit = z.number().int().min(1).max(1000)
const pageIn = <T>(
  all: readonly T[],
  { cursor, limit }: { cursor?: string | undefined; limit: number },
) => {
  const from = Number(afterOf(cursor) ?? 0)
  const next = from + limit
  return {
    rows: all.slice(from, next),
    next_cursor: all.length > next ? Buffer.from(String(next)).toString('base64url') : '',
  }
}
const momentOf = async (corp: Corp, moment_id: string): Promise<CorpMoment> =>
  (await corp.one('moment', moment_id)) ?? no(40058, 'invalid moment_id')

/** Moments of the corp, which members publish to their friends. */
export const momentRoutes: Readonly<Record<string, CorpRoute>> = {
  [`${E}/add_moment_task`]: writes(moment, async (of, corp) => {
    check(of)
    const lately = (await corp.list('moment')).filter(
      one => one.body.create_time > corp.now - 60,
    ).length
    if (lately >= A_MINUTE) no(45009, 'api freq out of limit')
    const { senders, invalid_users } = await sendersOf(corp, of)
    const moment_id = corp.id('mom')
    await corp.put('moment', moment_id, {
      moment_id,
      create_time: corp.now,
      senders,
      invalid_users,
      tags: of.visible_range?.external_contact_list?.tag_list ?? [],
    })
    return { jobid: moment_id.replace('mom', 'job') }
  }),
  [`${E}/get_moment_task_result`]: reads(
    z.object({ jobid: z.string().min(1) }),
    async ({ jobid }, corp) => {
      const made = await momentOf(corp, jobid.replace('job', 'mom'))
      const type = 'add_moment_task'
      if (corp.now < made.create_time + JOB_S) return { status: 2, type }
      const result = {
        errcode: made.senders.length === 0 ? 41048 : 0,
        errmsg: made.senders.length === 0 ? 'nobody to publish it' : 'ok',
        ...(made.senders.length > 0 && { moment_id: made.moment_id }),
        invalid_sender_list: { user_list: made.invalid_users, department_list: [] },
      }
      return { status: 3, type, result }
    },
  ),
  [`${E}/get_moment_task`]: reads(
    z.object({
      moment_id: z.string().min(1),
      cursor: z.string().optional(),
      limit: limit.default(500),
    }),
    async ({ moment_id, ...page }, corp) => {
      const made = await momentOf(corp, moment_id)
      const { rows, next_cursor } = pageIn(made.senders, page)
      const task_list = rows.map(userid => ({
        userid,
        publish_status: isPublished(made, userid, corp.now) ? 1 : 0,
      }))
      return { task_list, next_cursor }
    },
  ),
  [`${E}/get_moment_send_result`]: reads(
    z.object({
      moment_id: z.string().min(1),
      userid: z.string().min(1),
      cursor: z.string().optional(),
      limit: limit.default(1000),
    }),
    async ({ moment_id, userid, ...page }, corp) => {
      const seen = await seenOf(corp, await momentOf(corp, moment_id))
      const { rows, next_cursor } = pageIn(seen.get(userid) ?? [], page)
      return { customer_list: rows.map(external_userid => ({ external_userid })), next_cursor }
    },
  ),
  [`${E}/cancel_moment_task`]: writes(
    z.object({ moment_id: z.string().min(1) }),
    async ({ moment_id }, corp) => {
      const made = await momentOf(corp, moment_id)
      await corp.put('moment', moment_id, { canceled_at: corp.now, ...made })
      return {}
    },
  ),
}
