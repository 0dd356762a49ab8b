import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { DAY } from '#src/domain/time.ts'
import {
  afterOf,
  inService,
  mayContact,
  no,
  pageFrom,
  reads,
  writes,
  type Corp,
  type CorpBody,
  type CorpRoute,
  type CorpTransfer,
} from './corp.channel.ts'
import { wecom_corp_object } from './wecomPort.table.ts'

const E = '/cgi-bin/externalcontact'
const userid = z.string().min(1).max(64)
const pair = { handover_userid: userid, takeover_userid: userid }
/** WeCom waits a day for the customer's word; the embedded corp is in more of a hurry. */
const WAIT_S = 60
const WAITS = 2
const DONE = 1
const REFUSED = 3

const keyOf = (of: Omit<CorpTransfer, 'status' | 'due_at'>): string =>
  `${of.handover_userid}>${of.takeover_userid}>${of.external_userid}>${of.at}`
const prefixed = (prefix: string) => sql`starts_with(${wecom_corp_object.key}, ${prefix})`
/** Every sixteenth customer does not want the new adviser; always the same ones. */
const refuses = (external_userid: string): boolean =>
  createHash('sha256').update(external_userid).digest()[0]! % 16 === 0

const transfersOf = (corp: Corp, external_userid: string) =>
  corp.list('transfer', {
    where: sql`${wecom_corp_object.body} ->> 'external_userid' = ${external_userid}`,
  })
const handOver = async (
  corp: Corp,
  of: { kind: CorpTransfer['kind']; handover_userid: string; takeover_userid: string },
  external_userid: string,
): Promise<number> => {
  const body = await corp.one('external', external_userid)
  if (!body) return 40096
  if (!body.follow_user.some(one => one.userid === of.handover_userid)) return 40131
  const before = (await transfersOf(corp, external_userid)).map(row => row.body)
  if (before.some(one => one.status === WAITS)) return 40129
  const lately = before.filter(
    one => one.kind === 'on_job' && one.status === DONE && one.at > corp.now - 90 * DAY,
  )
  if (of.kind === 'on_job' && lately.length >= 2) return 40128
  const one = { ...of, external_userid, status: WAITS, at: corp.now, due_at: corp.now + WAIT_S }
  await corp.put('transfer', keyOf(one), one)
  return 0
}
const handsOver =
  (kind: CorpTransfer['kind']) =>
  async (
    of: { handover_userid: string; takeover_userid: string; external_userid: string[] },
    corp: Corp,
  ) => {
    const { external_userid, handover_userid, takeover_userid } = of
    if (handover_userid === takeover_userid) no(40130, 'handover and takeover are the same')
    const giver = await corp.one('user', handover_userid)
    const left = !giver || giver.status === 5
    if (kind === 'resigned' && !left) no(40097, 'user has not resigned')
    if (kind === 'on_job' && left) no(60111, 'userid not found')
    if (!mayContact(await inService(corp, takeover_userid))) no(84074, 'no customer contact right')
    const customer = []
    for (const id of external_userid)
      customer.push({
        external_userid: id,
        errcode: await handOver(corp, { kind, handover_userid, takeover_userid }, id),
      })
    return { customer }
  }
const resultsOf =
  (kind: CorpTransfer['kind']) =>
  async (
    of: { handover_userid: string; takeover_userid: string; cursor?: string | undefined },
    corp: Corp,
  ) => {
    const found = await corp.list('transfer', {
      after: afterOf(of.cursor),
      limit: 1001,
      where: prefixed(`${of.handover_userid}>${of.takeover_userid}>`),
    })
    const { rows, next_cursor } = pageFrom(found, 1000)
    const latest = new Map(
      rows.filter(row => row.body.kind === kind).map(({ body }) => [body.external_userid, body]),
    )
    return {
      customer: [...latest.values()].map(one => ({
        external_userid: one.external_userid,
        status: one.status,
        takeover_time: one.status === DONE ? one.due_at : 0,
      })),
      next_cursor,
    }
  }
/** The taker follows in the giver's place, with what was noted of the customer. */
const followAnew = (
  body: CorpBody['external'],
  { handover_userid, takeover_userid }: Pick<CorpTransfer, 'handover_userid' | 'takeover_userid'>,
  now: number,
): CorpBody['external'] => {
  const given = body.follow_user.find(one => one.userid === handover_userid)
  const others = body.follow_user.filter(
    one => one.userid !== handover_userid && one.userid !== takeover_userid,
  )
  if (!given) return body
  const known = body.follow_user.find(one => one.userid === takeover_userid)
  const taken = known ?? {
    ...given,
    userid: takeover_userid,
    createtime: now,
    add_way: 202,
    oper_userid: handover_userid,
  }
  return { ...body, follow_user: [...others, taken] }
}
/** What the customers have said by now; answers the hand-overs that are settled. */
export const settleTransfers = async (corp: Corp): Promise<CorpTransfer[]> => {
  const due = await corp.list('transfer', {
    limit: 200,
    where: sql`(${wecom_corp_object.body} ->> 'status')::int = ${WAITS}
      and (${wecom_corp_object.body} ->> 'due_at')::bigint <= ${corp.now}`,
  })
  const settled: CorpTransfer[] = []
  for (const { key, body } of due) {
    const customer = await corp.one('external', body.external_userid)
    const status = !customer || refuses(body.external_userid) ? REFUSED : DONE
    if (customer && status === DONE)
      await corp.put('external', body.external_userid, followAnew(customer, body, corp.now))
    await corp.put('transfer', key, { ...body, status })
    settled.push({ ...body, status })
  }
  return settled
}
export const transfersDue = async (corp: Corp): Promise<boolean> =>
  (
    await corp.list('transfer', {
      limit: 1,
      where: sql`(${wecom_corp_object.body} ->> 'status')::int = ${WAITS}
        and (${wecom_corp_object.body} ->> 'due_at')::bigint <= ${corp.now}`,
    })
  ).length > 0

const movesChats =
  (ownerLeft: boolean) => async (of: { chat_id_list: string[]; new_owner: string }, corp: Corp) => {
    if (!mayContact(await inService(corp, of.new_owner))) no(90503, 'no customer contact right')
    const found = new Map(
      (await corp.some('group_chat', of.chat_id_list)).map(row => [row.key, row.body]),
    )
    const failed: { chat_id: string; errcode: number; errmsg: string }[] = []
    for (const chat_id of of.chat_id_list) {
      const chat = found.get(chat_id)
      const errcode = chat ? await chatFault(corp, chat.owner, { ...of, ownerLeft }) : 40050
      if (errcode !== 0) failed.push({ chat_id, errcode, errmsg: 'refused' })
      else await corp.put('group_chat', chat_id, { ...chat!, owner: of.new_owner })
    }
    return { failed_chat_list: failed }
  }
const chatFault = async (
  corp: Corp,
  owner: string,
  { new_owner, ownerLeft }: { new_owner: string; ownerLeft: boolean },
): Promise<number> => {
  if (owner === new_owner) return 90505
  const user = await corp.one('user', owner)
  const left = !user || user.status === 5
  if (left === ownerLeft) return 0
  return left ? 90502 : 90500
}
const unassigned = async (
  { page_size, cursor }: { page_size: number; cursor?: string | undefined },
  corp: Corp,
) => {
  const inside = new Set(
    (await corp.list('user')).flatMap(({ key, body }) => (body.status === 5 ? [] : key)),
  )
  const found = (await corp.list('external')).flatMap(({ key, body }) =>
    body.follow_user
      .filter(one => !inside.has(one.userid))
      .map(one => ({
        key: `${key}>${one.userid}`,
        handover_userid: one.userid,
        external_userid: key,
        dimission_time: one.createtime,
      })),
  )
  // The cursor is compared as text, so the rows stand in that order.
  found.sort((a, b) => (a.key < b.key ? -1 : 1))
  const after = afterOf(cursor)
  const later = after === undefined ? found : found.filter(one => one.key > after)
  const { rows, next_cursor } = pageFrom(later, page_size)
  return {
    info: rows.map(({ key: _, ...row }) => row),
    is_last: next_cursor === '',
    next_cursor,
  }
}

const customers = z.object({
  ...pair,
  external_userid: z.array(z.string().min(1)).min(1).max(100),
  transfer_success_msg: z.string().max(200).optional(),
})
const results = z.object({ ...pair, cursor: z.string().optional() })
const movedChats = z.object({
  chat_id_list: z.array(z.string().min(1)).min(1).max(100),
  new_owner: userid,
})
/** Hand-overs of customers and groups, in service and after somebody left. */
export const transferRoutes: Readonly<Record<string, CorpRoute>> = {
  [`${E}/transfer_customer`]: writes(customers, handsOver('on_job')),
  [`${E}/resigned/transfer_customer`]: writes(customers, handsOver('resigned')),
  [`${E}/transfer_result`]: reads(results, resultsOf('on_job')),
  [`${E}/resigned/transfer_result`]: reads(results, resultsOf('resigned')),
  [`${E}/get_unassigned_list`]: reads(
    z.object({
      page_size: z.number().int().min(1).max(1000).default(1000),
      cursor: z.string().optional(),
    }),
    unassigned,
  ),
  [`${E}/groupchat/transfer`]: writes(movedChats, movesChats(true)),
  [`${E}/groupchat/onjob_transfer`]: writes(movedChats, movesChats(false)),
}
