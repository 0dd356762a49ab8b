import { createHash } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { grouped } from '#src/domain/grouped.ts'
import type { Db } from '#src/server/call/implement.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { customer_dup } from './dedup.table.ts'
import {
  confidenceOf,
  evidenceOf,
  hasNew,
  marksOf,
  type Compared,
  type DupKind,
  type Marks,
} from './dup.ts'

/** What a scan did: cases that are new, came back, or are none any more. */
export type Scanned = { found: number; raised: number; gone: number }
type Party = Compared & { key: string; member_id: number | null; customer_id: number | null }
type Case = {
  kind: DupKind
  key: string
  customer_ids: number[]
  member_ids: number[]
  marks: Marks
}
type Placed = Case & { follow_ids: number[]; city_ids: number[]; mall_ids: number[] }
type Kept = typeof customer_dup.$inferSelect

const digest = (kind: DupKind, value: string): string =>
  createHash('md5').update(`${kind}|${value}`).digest('hex')
const intsOf = (ids: readonly number[]) => sql`${sql.param(`{${ids.join()}}`)}::int[]`
const sorted = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)
const nothingTold: Compared = {
  unionid: null,
  phone: null,
  name: null,
  birthday: null,
  gender: null,
}

/** Contacts whom two advisers or more follow now. */
const followed = async (db: Db): Promise<Case[]> => {
  const { rows } = await db.execute<{ id: number; member_id: number | null }>(sql`
    select c.id, c.member_id from wecom_customer c
    where c.state = 'following' and c.follow_count > 1 and 1 < (select count(distinct f.staff_id)
      from wecom_follow f where f.customer_id = c.id and f.status = 'following')
    order by c.id`)
  return rows.map(row => ({
    kind: 'multi_follow',
    key: digest('multi_follow', String(row.id)),
    customer_ids: [row.id],
    member_ids: row.member_id === null ? [] : [row.member_id],
    marks: marksOf([nothingTold]),
  }))
}
/** Members in use and contacts that have one unionid, or one phone, where there are two of either. */
const sharing = async (db: Db, by: 'unionid' | 'phone'): Promise<Party[]> => {
  const column = sql.identifier(by)
  const { rows } = await db.execute<Party>(sql`
    with party as (
      select m.${column} as key, m.id member_id, null::int customer_id, m.unionid, m.phone,
        m.nickname as name, m.birthday, m.gender
      from member m where m.account_state in ('normal', 'muted', 'banned', 'canceling')
        and m.${column} <> ''
      union all
      select c.${column}, null, c.id, c.unionid, c.phone, c.name, null, c.gender
      from wecom_customer c where c.state <> 'merged' and c.${column} <> '')
    select * from party where key in (select key from party group by key
      having count(member_id) > 1 or count(customer_id) > 1)
    order by key, member_id, customer_id`)
  return rows
}
const shared = async (db: Db, kind: 'same_unionid' | 'same_phone'): Promise<Case[]> => {
  const parties = await sharing(db, kind === 'same_unionid' ? 'unionid' : 'phone')
  const byKey = grouped(parties, one => one.key)
  return [...byKey].flatMap(([value, all]): Case[] => {
    const members = all.filter(one => one.member_id !== null)
    const marks = marksOf(members.length > 1 ? members : all)
    // A shared unionid says more than a shared phone: its case stands for both.
    const told = all.every(one => one.unionid) && marks.unionid === 'same'
    if (kind === 'same_phone' && told) return []
    return [
      {
        kind,
        key: digest(kind, value),
        customer_ids: sorted(all.flatMap(one => one.customer_id ?? [])),
        member_ids: sorted(all.flatMap(one => one.member_id ?? [])),
        marks,
      },
    ]
  })
}

type Standing = { id: number; city_ids: number[]; mall_ids: number[] }
/** The contacts of members, their live relations, and where all of them stand. */
const placedCases = async (db: Db, cases: readonly Case[]): Promise<Placed[]> => {
  const memberIds = sorted(cases.flatMap(one => one.member_ids))
  const members = (
    await db.execute<{ id: number; city_id: number; customer_id: number | null }>(sql`
      select m.id, m.city_id, c.id customer_id from member m
        left join wecom_customer c on c.member_id = m.id and c.state <> 'merged'
      where m.id = any(${intsOf(memberIds)})`)
  ).rows
  const memberOf = new Map(members.map(row => [row.id, row]))
  const customersOf = (one: Case) =>
    sorted([
      ...one.customer_ids,
      ...one.member_ids.flatMap(id => memberOf.get(id)?.customer_id ?? []),
    ])
  const all = sorted(cases.flatMap(customersOf))
  const follows = (
    await db.execute<Standing & { customer_id: number }>(sql`
      select f.id, f.customer_id, s.mall_ids, array(select distinct m.city_id from mall m
        where m.id = any(s.mall_ids) order by 1) city_ids
      from wecom_follow f join wecom_staff s on s.id = f.staff_id
      where f.status = 'following' and f.customer_id = any(${intsOf(all)})
      order by f.added_at, f.id`)
  ).rows
  const followsOf = grouped(follows, row => row.customer_id)
  const order = new Map(follows.map((row, at) => [row.id, at]))
  return cases.map(one => {
    const customer_ids = customersOf(one)
    const own = customer_ids
      .flatMap(id => followsOf.get(id) ?? [])
      .toSorted((a, b) => order.get(a.id)! - order.get(b.id)!)
    return {
      ...one,
      customer_ids,
      follow_ids: own.map(row => row.id),
      mall_ids: sorted(own.flatMap(row => row.mall_ids)),
      city_ids: sorted([
        ...own.flatMap(row => row.city_ids),
        ...one.member_ids.flatMap(id => memberOf.get(id)?.city_id ?? []),
      ]),
    }
  })
}

const factsOf = (one: Placed) => {
  const { kind: _, key: __, ...rest } = one
  return { ...rest, evidence: evidenceOf(one), confidence: confidenceOf(one.kind, one.marks) }
}
const isSame = (row: Kept, facts: ReturnType<typeof factsOf>): boolean =>
  (Object.keys(facts) as (keyof typeof facts)[]).every(key => sameContent(row[key], facts[key]))
const comesBack = (row: Kept, evidence: readonly string[]): boolean =>
  (row.status === 'resolved' || row.status === 'ignored') && hasNew(row.seen, evidence)

/** Brings a known case up to what is found now; a decision made meanwhile stays as it is. */
const renew = async (
  db: Db,
  row: Kept,
  facts: ReturnType<typeof factsOf>,
  now: number,
): Promise<boolean> => {
  const back = comesBack(row, facts.evidence)
  if (!back && isSame(row, facts)) return false
  const changed = await db
    .update(customer_dup)
    .set({
      ...facts,
      ...(back && {
        status: 'pending' as const,
        outcome: null,
        decided_by: null,
        decided_at: null,
        raised_at: now,
      }),
      version: row.version + 1,
    })
    .where(and(eq(customer_dup.id, row.id), eq(customer_dup.version, row.version)))
    .returning({ id: customer_dup.id })
  return back && changed.length > 0
}
/** Rows that are written at once. */
const PIECE = 500
const addCases = async (db: Db, cases: readonly Placed[], now: number): Promise<number> => {
  let found = 0
  for (let at = 0; at < cases.length; at += PIECE) {
    const made = await db
      .insert(customer_dup)
      .values(
        cases
          .slice(at, at + PIECE)
          .map(one => ({ kind: one.kind, key: one.key, ...factsOf(one), raised_at: now })),
      )
      .onConflictDoNothing()
      .returning({ id: customer_dup.id })
    found += made.length
  }
  return found
}
/** Open cases that are none any more: somebody left, or the records were brought in order. */
const endGone = async (db: Db, present: readonly string[], now: number): Promise<number> => {
  const gone = await db
    .update(customer_dup)
    .set({
      status: 'resolved',
      outcome: 'gone',
      asked_by: null,
      decided_at: now,
      seen: sql`${customer_dup.evidence}`,
      version: sql`${customer_dup.version} + 1`,
    })
    .where(
      and(
        inArray(customer_dup.status, ['pending', 'second']),
        present.length > 0
          ? sql`${customer_dup.key} <> all(${sql.param(`{${present.join()}}`)}::text[])`
          : undefined,
      ),
    )
    .returning({ id: customer_dup.id })
  return gone.length
}

/**
 * Looks for records that are one person: contacts of several advisers, members or contacts with one
 * unionid or one phone. What was decided stays so unless there is new evidence. One scan runs at a
 * time; undefined where another one is under way. To be called in a transaction.
 */
export const scanDups = async (tx: Db, now: number): Promise<Scanned | undefined> => {
  const { rows } = await tx.execute<{ mine: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('customer_dup scan')) mine`,
  )
  if (!rows[0]!.mine) return undefined
  const cases = await placedCases(tx, [
    ...(await followed(tx)),
    ...(await shared(tx, 'same_unionid')),
    ...(await shared(tx, 'same_phone')),
  ])
  const kept = new Map((await tx.select().from(customer_dup)).map(row => [row.key, row] as const))
  const found = await addCases(
    tx,
    cases.filter(one => !kept.has(one.key)),
    now,
  )
  let raised = 0
  for (const one of cases) {
    const row = kept.get(one.key)
    if (row && (await renew(tx, row, factsOf(one), now))) raised++
  }
  const gone = await endGone(
    tx,
    cases.map(one => one.key),
    now,
  )
  return { found, raised, gone }
}
