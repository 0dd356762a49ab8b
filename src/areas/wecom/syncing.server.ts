import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import type { WecomClient, WecomSaid } from './client.channel.ts'
import { matchByUnionid } from './matching.server.ts'
import type { SyncRun } from './runs.server.ts'
import { takeColleagues, takeDepartments } from './syncContacts.server.ts'
import { endUntold, takeFollowed } from './syncCustomers.server.ts'
import { dismissUntold, takeGroup } from './syncGroups.server.ts'
import { takeTags } from './syncTags.server.ts'
import { wecom_staff } from './wecom.table.ts'
import type { SyncKind } from './wecom.ts'
import { keptWords, type WecomFault } from './wecomFault.ts'
import { wecom_sync } from './wecomWork.table.ts'
import type { WecomGroupChat } from './wire.channel.ts'

export type Syncing = { database: Database; client: WecomClient; now: number }
type Cursor = SyncRun['cursor']
/** What one step comes to: what it does to the mirror, in one transaction with the cursor. */
type Step = {
  apply: (tx: Db) => Promise<{ read?: number; changed?: number; faults?: SyncRun['faults'] }>
  /** Where the next step goes on; undefined: it was the last one. */
  next: Cursor | undefined
}
/** A fault of WeCom's on the way: thrown within a step, and told by the run. */
class Halt extends Error {
  constructor(readonly fault: WecomFault) {
    super(fault.text[1])
  }
}
const said = async <T>(asked: Promise<WecomSaid<T>>): Promise<T> => {
  const answer = await asked
  if ('fault' in answer) throw new Halt(answer.fault)
  return answer.said
}

const contacts = async ({ client, now }: Syncing, run: SyncRun): Promise<Step> => {
  const of = { run_id: run.id, now }
  if (run.cursor['step'] === undefined) {
    const rows = await said(client.departments())
    return {
      apply: async tx => ({ read: rows.length, ...(await takeDepartments(tx, rows, of)) }),
      next: { step: 'users' },
    }
  }
  const users = await said(client.users())
  const contact = await said(client.followUsers())
  return {
    apply: async tx => ({
      read: users.length,
      changed: await takeColleagues(tx, { users, contact }, of),
    }),
    next: undefined,
  }
}

/** Advisers whose customers one pull asks for together. */
const ADVISERS = 20
type Pull = { step?: 'pull' | 'match'; after?: number; cursor?: string }
const customers = async ({ database, client, now }: Syncing, run: SyncRun): Promise<Step> => {
  const at = run.cursor as Pull
  if (at.step === undefined) {
    const groups = await said(client.tagGroups())
    return {
      apply: async tx => {
        await takeTags(tx, groups)
        return {}
      },
      next: { step: 'pull', after: 0 },
    }
  }
  if (at.step === 'match')
    return { apply: async tx => ({ changed: await matchByUnionid(tx) }), next: undefined }
  const team = await database.db
    .select({ id: wecom_staff.id, userid: wecom_staff.userid })
    .from(wecom_staff)
    .where(and(eq(wecom_staff.has_contact_right, true), sql`${wecom_staff.id} > ${at.after ?? 0}`))
    .orderBy(asc(wecom_staff.id))
    .limit(ADVISERS)
  if (team.length === 0) return { apply: async () => ({}), next: { step: 'match' } }
  const { rows, next } = await said(
    client.externalsByUser(
      team.map(one => one.userid),
      at.cursor ? { cursor: at.cursor } : {},
    ),
  )
  return {
    apply: async tx => {
      const changed = await takeFollowed(tx, rows, { run_id: run.id, now })
      // Only a pull that came to its end says who is no more.
      const ended = next
        ? 0
        : await endUntold(
            tx,
            team.map(one => one.id),
            {
              run_id: run.id,
              started_at: run.started_at,
            },
          )
      return { read: rows.length, changed: changed + ended }
    },
    next: next
      ? { step: 'pull', after: at.after ?? 0, cursor: next }
      : { step: 'pull', after: team.at(-1)!.id },
  }
}

type Chats = { step?: 'chats'; ids?: string[]; all?: string[]; cursor?: string | null }
/** Chats that one step reads, one call each. */
const CHATS = 5
const groups = async ({ client, now }: Syncing, run: SyncRun): Promise<Step> => {
  const at = run.cursor as Chats
  if (at.step === undefined || (at.ids!.length === 0 && at.cursor)) {
    const { rows, next } = await said(client.groupChats(at.cursor ? { cursor: at.cursor } : {}))
    const ids = rows.map(one => one.chat_id)
    return {
      apply: async () => ({}),
      next: { step: 'chats', ids, all: [...(at.all ?? []), ...ids], cursor: next },
    }
  }
  const some = at.ids!.slice(0, CHATS)
  if (some.length === 0)
    return {
      apply: async tx => ({
        changed: await dismissUntold(tx, at.all!, { started_at: run.started_at, now }),
      }),
      next: undefined,
    }
  const chats: WecomGroupChat[] = []
  for (const id of some) chats.push(await said(client.groupChat(id)))
  return {
    apply: async tx => {
      for (const chat of chats) await takeGroup(tx, chat, now)
      return { read: chats.length }
    },
    next: { ...at, ids: at.ids!.slice(CHATS) },
  }
}
/** The corp's tags alone; those that WeCom knows no more are told by name. */
const tags = async ({ client }: Syncing): Promise<Step> => {
  const all = await said(client.tagGroups())
  return {
    apply: async tx => {
      const gone = await takeTags(tx, all)
      return {
        read: all.flatMap(group => group.tag).length,
        changed: gone.length,
        faults: gone.map(name => ({
          key: name,
          why: keptWords(['企微已删除，标记为已失效', 'Deleted in WeCom, marked as invalid']),
        })),
      }
    },
    next: undefined,
  }
}
const kinds: Readonly<Record<SyncKind, (of: Syncing, run: SyncRun) => Promise<Step>>> = {
  contacts,
  customers,
  groups,
  tags,
}

/** The run while it stands where this process read it; undefined where another one went on. */
const stillOurs = async (tx: Db, run: SyncRun): Promise<boolean> => {
  const [row] = await tx
    .select({ version: wecom_sync.version, state: wecom_sync.state })
    .from(wecom_sync)
    .where(eq(wecom_sync.id, run.id))
    .for('update')
  return row?.state === 'running' && row.version === run.version
}
const fail = async ({ database, now }: Syncing, run: SyncRun, fault: WecomFault) =>
  database.db
    .update(wecom_sync)
    .set({
      state: 'failed',
      errcode: fault.code,
      error: keptWords(fault.text),
      finished_at: now,
      version: run.version + 1,
    })
    .where(
      and(
        eq(wecom_sync.id, run.id),
        eq(wecom_sync.version, run.version),
        eq(wecom_sync.state, 'running'),
      ),
    )
/** One step of a run: WeCom is asked first, outside any transaction. False: it is over, or another's. */
export const stepSync = async (of: Syncing, run: SyncRun): Promise<boolean> => {
  let step: Step
  try {
    step = await kinds[run.kind](of, run)
  } catch (error) {
    if (!(error instanceof Halt)) throw error
    const { fault } = error
    // WeCom is busy or silent: the clock asks again from the same place.
    if ((fault.kind === 'busy' || fault.kind === 'silent') && of.now - run.started_at < 3600)
      return false
    await fail(of, run, fault)
    return false
  }
  return of.database.transaction(async tx => {
    if (!(await stillOurs(tx, run))) return false
    const { read = 0, changed = 0, faults = [] } = await step.apply(tx)
    await tx
      .update(wecom_sync)
      .set({
        read_n: run.read_n + read,
        changed_n: run.changed_n + changed,
        faults: [...run.faults, ...faults],
        version: run.version + 1,
        ...(step.next === undefined
          ? { state: 'done', cursor: {}, finished_at: of.now }
          : { cursor: step.next }),
      })
      .where(eq(wecom_sync.id, run.id))
    return step.next !== undefined
  })
}
const STEPS = 400
/**
 * Goes on with every run that is under way, step by step, from wherever a crash left it. Answers how
 * many steps were done.
 */
export const runSyncs = async (of: Syncing): Promise<number> => {
  let n = 0
  for (const kind of Object.keys(kinds) as SyncKind[])
    for (let at = 0; at < STEPS; at++) {
      const [run] = await of.database.db
        .select()
        .from(wecom_sync)
        .where(and(eq(wecom_sync.kind, kind), eq(wecom_sync.state, 'running')))
      if (!run) break
      n++
      if (!(await stepSync(of, run))) break
    }
  return n
}
