import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { foundWay } from './contactWays.server.ts'
import { tagRuns } from './tagTasks.server.ts'
import { noteGiven, takeExternal } from './taking.server.ts'
import { end, faulted, type Running, type Task } from './taskEnds.server.ts'
import { wecom_customer, wecom_follow, wecom_staff, wecom_tag } from './wecom.table.ts'
import type { TaskKind } from './wecom.ts'
import { wecom_task } from './wecomWork.table.ts'

type Fresh = {
  kind: Exclude<TaskKind, 'transfer' | 'group'>
  customer_id?: number
  follow_id?: number
  staff_id?: number
  tag_id?: number
  tag_group_id?: number
  body: Record<string, unknown>
  /** Absent where a rule decided it. */
  asked_by?: number
}
/** Puts work for WeCom beside what was decided, in the same transaction; the clock sends it. */
export const addTasks = async (tx: Db, now: number, tasks: readonly Fresh[]): Promise<void> => {
  if (tasks.length === 0) return
  await tx.insert(wecom_task).values(tasks.map(one => ({ ...one, next_at: now, created_at: now })))
}
/** What is on its way to WeCom for customers, or was refused by it last, by customer. */
export const tasksOf = async (db: Db, ids: readonly number[]) => {
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({
            customer_id: wecom_task.customer_id,
            kind: wecom_task.kind,
            state: wecom_task.state,
            error: wecom_task.error,
            errcode: wecom_task.errcode,
          })
          .from(wecom_task)
          .where(
            and(
              inArray(wecom_task.customer_id, [...ids]),
              inArray(wecom_task.state, ['waiting', 'failed']),
            ),
          )
          .orderBy(asc(wecom_task.id))
  return (id: number) => ({
    waiting: rows.filter(row => row.customer_id === id && row.state === 'waiting').length,
    refused: rows.findLast(row => row.customer_id === id && row.state === 'failed') ?? null,
  })
}

const AT_ONCE = 60
type Pair = { userid: string; external_userid: string }
/** The two whom a task of a relation is about, as WeCom knows them. */
const pairOf = async (db: Db, task: Task): Promise<Pair | undefined> => {
  const [row] = await db
    .select({ userid: wecom_staff.userid, external_userid: wecom_customer.external_userid })
    .from(wecom_follow)
    .innerJoin(wecom_staff, eq(wecom_staff.id, wecom_follow.staff_id))
    .innerJoin(wecom_customer, eq(wecom_customer.id, wecom_follow.customer_id))
    .where(eq(wecom_follow.id, task.follow_id ?? 0))
  return row
}
const tagNames = async (db: Db, ids: readonly number[]): Promise<string[]> =>
  ids.length === 0
    ? []
    : (
        await db
          .select({ tag_id: wecom_tag.tag_id })
          .from(wecom_tag)
          .where(inArray(wecom_tag.id, [...ids]))
      ).map(one => one.tag_id)

const runTag = async ({ database, client, now }: Running, task: Task): Promise<boolean> => {
  const {
    add = [],
    remove = [],
    for: moved,
  } = task.body as { add?: number[]; remove?: number[]; for?: string }
  const pair = await pairOf(database.db, task)
  const answer = await client.markTag({
    ...pair!,
    add_tag: await tagNames(database.db, add),
    remove_tag: await tagNames(database.db, remove),
  })
  if ('fault' in answer) {
    await faulted(database, task, { fault: answer.fault, now })
    return true
  }
  return database.transaction(async tx => {
    if (!(await end(tx, task, { state: 'done', now }))) return false
    await tx.execute(sql`
      update wecom_follow set version = version + 1, tag_ids = (
        select coalesce(array_agg(distinct t order by t), '{}') from (
          select unnest(tag_ids || ${sql.param(`{${add.join()}}`)}::int[]) t) all_tags
        where t <> all(${sql.param(`{${remove.join()}}`)}::int[]))
      where id = ${task.follow_id}`)
    // A tag that took another's place is nothing new of the customer.
    const fresh = moved === undefined ? add : []
    await noteGiven(tx, { follow_id: task.follow_id!, tag_ids: fresh, at: now })
    return true
  })
}
const runRemark = async ({ database, client, now }: Running, task: Task): Promise<boolean> => {
  const noted = task.body as { remark: string; description?: string }
  const pair = await pairOf(database.db, task)
  const answer = await client.remark({ ...pair!, ...noted })
  if ('fault' in answer) {
    await faulted(database, task, { fault: answer.fault, now })
    return true
  }
  return database.transaction(async tx => {
    if (!(await end(tx, task, { state: 'done', now }))) return false
    await tx
      .update(wecom_follow)
      .set({ ...noted, version: sql`${wecom_follow.version} + 1` })
      .where(eq(wecom_follow.id, task.follow_id!))
    return true
  })
}
/** WeCom's codes of somebody whom nobody follows any more. */
const NO_FRIENDS: readonly number[] = [84061, 40096]
const runRefresh = async ({ database, client, now }: Running, task: Task): Promise<boolean> => {
  const [customer] = await database.db
    .select({ external_userid: wecom_customer.external_userid })
    .from(wecom_customer)
    .where(eq(wecom_customer.id, task.customer_id!))
  const { external_userid } = customer!
  const answer = await client.external(external_userid)
  if ('fault' in answer && !NO_FRIENDS.includes(answer.fault.code)) {
    await faulted(database, task, { fault: answer.fault, now })
    return true
  }
  return database.transaction(async tx => {
    if (!(await end(tx, task, { state: 'done', now }))) return false
    const said = 'said' in answer ? answer.said : undefined
    await takeExternal(tx, { external_userid, said, asked_at: task.created_at, now })
    return true
  })
}
/** The mark by which a way that may have been made is found again. */
const markOf = (task: Task): string => `mallet-staff-${task.staff_id}-${task.id}`
const runCode = async ({ database, client, now }: Running, task: Task): Promise<boolean> => {
  const [adviser] = await database.db
    .select({ userid: wecom_staff.userid })
    .from(wecom_staff)
    .where(eq(wecom_staff.id, task.staff_id!))
  const found =
    task.tries > 0
      ? await foundWay(client, { state: markOf(task), since: task.created_at, now })
      : undefined
  const known = found && ('fault' in found || found.said) ? found : undefined
  const answer =
    known ??
    (await client.addContactWay({
      type: 1,
      scene: 2,
      remark: '会员顾问专属活码',
      skip_verify: true,
      state: markOf(task),
      user: [adviser!.userid],
    }))
  if ('fault' in answer) {
    await faulted(database, task, { fault: answer.fault, now })
    return true
  }
  const { config_id, qr_code = '' } = answer.said!
  return database.transaction(async tx => {
    if (!(await end(tx, task, { state: 'done', now }))) return false
    await tx
      .update(wecom_staff)
      .set({
        code_config_id: config_id,
        code_qr: qr_code,
        version: sql`${wecom_staff.version} + 1`,
      })
      .where(eq(wecom_staff.id, task.staff_id!))
    return true
  })
}
const runs = {
  tag: runTag,
  remark: runRemark,
  refresh: runRefresh,
  code: runCode,
  ...tagRuns,
} as const

/**
 * Sends what waits for WeCom, the oldest first, each of one relation after the one before it.
 * Answers how many were dealt with. A crash leaves a task waiting, and it is sent again: what is
 * written twice is the same, and a code that was made is looked for before another one is.
 */
export const runTasks = async (running: Running): Promise<number> => {
  const { database, now } = running
  const due = await database.db
    .select()
    .from(wecom_task)
    .where(and(eq(wecom_task.state, 'waiting'), lte(wecom_task.next_at, now)))
    .orderBy(asc(wecom_task.id))
    .limit(AT_ONCE)
  let n = 0
  const held = new Set<number>()
  for (const task of due) {
    if (task.follow_id !== null && held.has(task.follow_id)) continue
    const run = runs[task.kind as keyof typeof runs]
    if (await run(running, task)) n++
    const [after] = await database.db
      .select({ state: wecom_task.state })
      .from(wecom_task)
      .where(eq(wecom_task.id, task.id))
    // The next one of this relation comes only after this one.
    if (task.follow_id !== null && after?.state === 'waiting') held.add(task.follow_id)
  }
  return n
}
