import { and, asc, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import type { WecomClient } from './client.channel.ts'
import { applyRelations, liveFollow } from './relations.server.ts'
import { wecom_customer, wecom_follow, wecom_staff } from './wecom.table.ts'
import { TRANSFER_BATCH, TRANSFER_WAIT, type TransferState } from './wecom.ts'
import { faultOfCode, keptWords, type WecomFault } from './wecomFault.ts'
import { wecom_group } from './wecomGroup.table.ts'
import { wecom_transfer } from './wecomWork.table.ts'

type Transfer = typeof wecom_transfer.$inferSelect
export type Transferring = { database: Database; client: WecomClient; now: number }
type Named = Transfer & { from: string; to: string; what: string }
const t = wecom_transfer

/** Hand-overs with the ids of WeCom, the oldest first. */
const named = async (db: Db, where: ReturnType<typeof and>): Promise<Named[]> => {
  const rows = await db
    .select({
      row: t,
      external: wecom_customer.external_userid,
      chat: wecom_group.chat_id,
    })
    .from(t)
    .leftJoin(wecom_customer, eq(wecom_customer.id, t.customer_id))
    .leftJoin(wecom_group, eq(wecom_group.id, t.group_id))
    .where(and(eq(t.status, 'waiting'), where))
    .orderBy(asc(t.id))
    .limit(500)
  const ids = rows.flatMap(({ row }) => [row.from_staff_id, row.to_staff_id])
  const people = await db
    .select({ id: wecom_staff.id, userid: wecom_staff.userid })
    .from(wecom_staff)
    .where(inArray(wecom_staff.id, [0, ...ids]))
  const userid = new Map(people.map(one => [one.id, one.userid]))
  return rows.map(({ row, external, chat }) => ({
    ...row,
    from: userid.get(row.from_staff_id)!,
    to: userid.get(row.to_staff_id)!,
    what: external ?? chat ?? '',
  }))
}
/** Hand-overs that go in one request: of one kind, from one colleague to one, with one notice. */
const together = (rows: readonly Named[]): Named[][] => {
  const sets = new Map<string, Named[]>()
  for (const row of rows) {
    const key = [row.kind, row.from, row.to, row.notice].join('\n')
    sets.set(key, [...(sets.get(key) ?? []), row])
  }
  return [...sets.values()].flatMap(all =>
    Array.from({ length: Math.ceil(all.length / TRANSFER_BATCH) }, (_, at) =>
      all.slice(at * TRANSFER_BATCH, (at + 1) * TRANSFER_BATCH),
    ),
  )
}

/** Ends a hand-over, unless that was done meanwhile. */
const end = async (
  tx: Db,
  row: Transfer,
  of: { status: TransferState; now: number; fault?: Pick<WecomFault, 'code' | 'text'> },
): Promise<boolean> => {
  const [after] = await tx
    .update(t)
    .set({
      status: of.status,
      fail_code: of.fault?.code ?? 0,
      fail_reason: of.fault ? keptWords(of.fault.text) : '',
      done_at: of.now,
      version: sql`${t.version} + 1`,
    })
    .where(and(eq(t.id, row.id), eq(t.status, 'waiting')))
    .returning({ id: t.id })
  return after !== undefined
}
/** The taker follows in the giver's place, with the tags and the remark that were there. */
const settleTransfer = async (tx: Db, row: Transfer, at: number, now: number): Promise<boolean> => {
  if (!(await end(tx, row, { status: 'done', now }))) return false
  const [given] = await tx.select().from(wecom_follow).where(eq(wecom_follow.id, row.follow_id!))
  const pair = { customer_id: row.customer_id!, staff_id: row.to_staff_id }
  await applyRelations(tx, [
    { customer_id: pair.customer_id, staff_id: row.from_staff_id, kind: 'transfer', at },
    { ...pair, kind: 'add', at },
  ])
  const live = await liveFollow(tx, pair)
  if (live && live.taken_from_id === null)
    await tx
      .update(wecom_follow)
      .set({
        taken_from_id: given!.id,
        remark: live.remark || given!.remark,
        description: live.description || given!.description,
        tag_ids: [...new Set([...live.tag_ids, ...given!.tag_ids])].sort((a, b) => a - b),
        add_way: 'assigned',
        stage: given!.stage,
        version: live.version + 1,
      })
      .where(eq(wecom_follow.id, live.id))
  return true
}
/** A chat has its new owner. */
const settleGroup = async (tx: Db, row: Transfer, now: number): Promise<void> => {
  if (!(await end(tx, row, { status: 'done', now }))) return
  await tx
    .update(wecom_group)
    .set({
      owner_id: row.to_staff_id,
      status: 'normal',
      version: sql`${wecom_group.version} + 1`,
    })
    .where(and(eq(wecom_group.id, row.group_id!), eq(wecom_group.status, 'transferring')))
}
/** A chat stays with whom it was. */
const keepGroup = async (tx: Db, row: Transfer): Promise<void> => {
  await tx.execute(sql`
    update wecom_group g set version = g.version + 1,
      status = case when s.status = 'left' then 'owner_left' else 'normal' end
    from wecom_staff s where s.id = g.owner_id and g.id = ${row.group_id}
      and g.status = 'transferring'`)
}
const FULL: readonly number[] = [40099, 90507]
/** WeCom's word that a hand-over is on its way already: an answer to the first request was lost. */
const UNDER_WAY: readonly number[] = [40129, 40100]
const stateOf = (code: number): TransferState => (FULL.includes(code) ? 'cap_reached' : 'failed')

/** A whole request was not done: for good, or it is sent again. */
const faulted = async (
  { database, now }: Transferring,
  rows: readonly Named[],
  fault: WecomFault,
): Promise<void> => {
  if (fault.kind !== 'refused') {
    await database.db
      .update(t)
      .set({
        next_at: now + 120,
        fail_code: fault.code,
        fail_reason: keptWords(fault.text),
      })
      .where(
        and(
          inArray(
            t.id,
            rows.map(row => row.id),
          ),
          eq(t.status, 'waiting'),
        ),
      )
    return
  }
  await database.transaction(async tx => {
    for (const row of rows) {
      await end(tx, row, { status: stateOf(fault.code), now, fault })
      if (row.group_id !== null) await keepGroup(tx, row)
    }
  })
}
const sendCustomers = async (of: Transferring, rows: readonly Named[]): Promise<void> => {
  const { database, client, now } = of
  const [first] = rows
  const asked = {
    handover_userid: first!.from,
    takeover_userid: first!.to,
    external_userid: rows.map(row => row.what),
  }
  const answer =
    first!.kind === 'resigned'
      ? await client.inheritCustomers(asked)
      : await client.transferCustomers({
          ...asked,
          ...(first!.notice && { transfer_success_msg: first!.notice }),
        })
  if ('fault' in answer) {
    await faulted(of, rows, answer.fault)
    return
  }
  const codes = new Map(answer.said.map(one => [one.external_userid, one.errcode]))
  await database.transaction(async tx => {
    for (const row of rows) {
      const code = codes.get(row.what) ?? 0
      if (code === 0 || UNDER_WAY.includes(code))
        await tx
          .update(t)
          .set({ sent_at: now, next_at: now + 60, fail_code: 0, fail_reason: '' })
          .where(and(eq(t.id, row.id), eq(t.status, 'waiting')))
      else await end(tx, row, { status: stateOf(code), now, fault: faultOfCode(code) })
    }
  })
}
/** WeCom's word that somebody owns the chat already: the first request went through. */
const OWNS_IT = 90505
const sendGroups = async (of: Transferring, rows: readonly Named[]): Promise<void> => {
  const { database, client, now } = of
  const [first] = rows
  const [giver] = await database.db
    .select({ status: wecom_staff.status })
    .from(wecom_staff)
    .where(eq(wecom_staff.id, first!.from_staff_id))
  const ids = rows.map(row => row.what)
  const answer =
    giver!.status === 'left'
      ? await client.inheritChats(ids, first!.to)
      : await client.transferChats(ids, first!.to)
  if ('fault' in answer) {
    await faulted(of, rows, answer.fault)
    return
  }
  const codes = new Map(answer.said.map(one => [one.chat_id, one.errcode]))
  await database.transaction(async tx => {
    for (const row of rows) {
      const code = codes.get(row.what) ?? 0
      if (code === 0 || code === OWNS_IT) await settleGroup(tx, row, now)
      else {
        await end(tx, row, { status: stateOf(code), now, fault: faultOfCode(code) })
        await keepGroup(tx, row)
      }
    }
  })
}
/** Sends hand-overs that WeCom has not taken yet; answers how many. */
export const sendTransfers = async (of: Transferring): Promise<number> => {
  const rows = await named(of.database.db, and(isNull(t.sent_at), lte(t.next_at, of.now)))
  for (const set of together(rows))
    await (set[0]!.kind === 'group_chat' ? sendGroups : sendCustomers)(of, set)
  return rows.length
}

const told: Readonly<Record<number, TransferState>> = {
  1: 'done',
  3: 'refused',
  4: 'cap_reached',
}
type Result = { external_userid: string; status: number; takeover_time?: number | undefined }
/** All results of hand-overs from one colleague to one; undefined while WeCom does not say. */
const resultsOf = async (
  { client }: Transferring,
  { kind, from, to }: Named,
): Promise<Map<string, Result> | undefined> => {
  const pair = { handover_userid: from, takeover_userid: to }
  const all = new Map<string, Result>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { cursor?: string } = cursor ? { cursor } : {}
    const answer: Awaited<ReturnType<WecomClient['transferResults']>> = await (kind === 'resigned'
      ? client.inheritResults(pair, page)
      : client.transferResults(pair, page))
    if ('fault' in answer) return undefined
    for (const one of answer.said.rows) all.set(one.external_userid, one)
    cursor = answer.said.next
  }
  return all
}
/** Seconds until WeCom is asked again: soon at first, then as rarely as a day's wait allows. */
const nextIn = (row: Transfer, now: number): number => (now - row.sent_at! < HOUR ? 60 : 900)
const settleOne = async (
  { database, now }: Transferring,
  row: Named,
  result: Result | undefined,
): Promise<boolean> => {
  const state = told[result?.status ?? 0]
  if (state === undefined) {
    // WeCom knows nothing of it, long after every customer had their say.
    if (result?.status === 2 || now - row.sent_at! < TRANSFER_WAIT + HOUR) {
      await database.db
        .update(t)
        .set({ next_at: now + nextIn(row, now) })
        .where(eq(t.id, row.id))
      return false
    }
    const fault = { code: 0, text: ['企业微信没有该转接记录', 'WeCom has no record'] as const }
    return database.transaction(tx => end(tx, row, { status: 'failed', now, fault }))
  }
  return database.transaction(tx =>
    state === 'done'
      ? settleTransfer(tx, row, result?.takeover_time || now, now)
      : end(tx, row, { status: state, now }),
  )
}
/** Why WeCom says that a hand-over failed; every other word of it is a refusal. */
const failStates: Readonly<Record<string, TransferState>> = {
  customer_limit_exceed: 'cap_reached',
}
/**
 * Ends the hand-over of a customer that WeCom says has failed, to this colleague and asked for
 * before `at` (unix seconds). Answers whether one waited for that word.
 */
export const failTransfer = async (
  tx: Db,
  of: { customer_id: number; staff_id: number; why: string; at: number },
): Promise<boolean> => {
  const [row] = await tx
    .select()
    .from(t)
    .where(
      and(
        eq(t.customer_id, of.customer_id),
        eq(t.to_staff_id, of.staff_id),
        eq(t.status, 'waiting'),
        lte(t.sent_at, of.at),
      ),
    )
  return row ? end(tx, row, { status: failStates[of.why] ?? 'refused', now: of.at }) : false
}
/** Asks what became of hand-overs that WeCom took; answers how many came to their end. */
export const followTransfers = async (of: Transferring): Promise<number> => {
  const rows = await named(of.database.db, and(isNotNull(t.sent_at), lte(t.next_at, of.now)))
  const pairs = new Map<string, Named[]>()
  for (const row of rows) {
    const key = `${row.kind}\n${row.from}\n${row.to}`
    pairs.set(key, [...(pairs.get(key) ?? []), row])
  }
  let n = 0
  for (const set of pairs.values()) {
    const results = await resultsOf(of, set[0]!)
    if (!results) continue
    for (const row of set) if (await settleOne(of, row, results.get(row.what))) n++
  }
  return n
}
