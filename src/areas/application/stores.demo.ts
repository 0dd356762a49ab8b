import { and, eq, sql } from 'drizzle-orm'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { allShopFields } from '#src/areas/merchant/onlineShop.ts'
import { allStoreFields, type StoreBody } from '#src/areas/merchant/storeForm.ts'
import { HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { application } from './application.table.ts'
import { SLA_S } from './application.ts'
import { judgeApplication } from './applications.server.ts'
import { shopBodyOf } from './shopJudge.server.ts'
import { storeBodyOf } from './storeJudge.server.ts'

type New = typeof application.$inferInsert
type Owned = { row: typeof store.$inferSelect; owner: typeof merchant.$inferSelect }
/** So many stores in trade apply for a change; every third was decided. */
const CHANGES = 6
const NEW_MOST = 12

const owned = async (
  db: Db,
  kind: 'offline' | 'online',
  status: 'auditing' | 'open',
  most: number,
): Promise<Owned[]> =>
  db
    .select({ row: store, owner: merchant })
    .from(store)
    .innerJoin(merchant, eq(merchant.id, store.merchant_id))
    .where(and(eq(store.kind, kind), eq(store.status, status), eq(merchant.status, 'active')))
    .orderBy(sql`${store.id} % 7`, store.id)
    .limit(most)
const about = ({ row, owner }: Owned, at: number) => ({
  queue: 'shop' as const,
  merchant_id: owner.id,
  store_id: row.id,
  title: row.name,
  city_id: row.city_id,
  owner_id: owner.bd_admin_id,
  submitted_at: at,
  submitted_by: owner.bd_admin_id,
  sla_at: at + SLA_S,
  created_at: at,
  // Rows that are inserted together have the same columns.
  decided_by: null,
  decider_name: null,
  decided_at: null,
  reason_code: null,
  reason: null,
  flags: [],
  state: 'pending' as const,
})
/** What a store asks to be otherwise. */
const wished = (row: Owned['row'], at: number): Partial<StoreBody> => {
  const all: readonly Partial<StoreBody>[] = [
    { name: `${row.name.replace(/店）$/, '')}旗舰店）`.slice(0, 40) },
    { address: `${row.address} ${1 + (row.id % 9)} 号门` },
    { door_no: `${row.door_no ?? '1'}-A` },
  ]
  return all[at % all.length]!
}
const seed = async (db: Db, random: Random, { now, people }: World): Promise<void> => {
  const auditors = people.filter(person => person.role === 'auditor')
  const made: { of: Owned; task: New }[] = []
  for (const of of await owned(db, 'offline', 'auditing', NEW_MOST)) {
    const body = await storeBodyOf(db, of.row)
    const task = {
      ...about(of, now - random.branch(`new${of.row.id}`).int(1, 30) * HOUR),
      kind: 'store' as const,
      snapshot: { store: body },
      changed: allStoreFields,
    }
    made.push({ of, task })
  }
  for (const [at, of] of (await owned(db, 'offline', 'open', CHANGES)).entries()) {
    const asked = wished(of.row, at)
    const submitted = now - random.branch(`change${of.row.id}`).int(2, 40) * HOUR
    const decider = auditors[at % auditors.length]
    const isDecided = at % 3 === 2 && decider !== undefined
    const task = {
      ...about(of, submitted),
      kind: 'store_change' as const,
      snapshot: { store: asked },
      changed: Object.keys(asked) as (keyof StoreBody)[],
      ...(isDecided && {
        state: 'rejected' as const,
        decided_by: decider.id,
        decider_name: decider.name,
        decided_at: submitted + HOUR,
        reason_code: 'proofs',
        reason: '请补交新门牌的证明材料',
      }),
    }
    made.push({ of, task })
  }
  for (const of of await owned(db, 'online', 'auditing', NEW_MOST)) {
    const task = {
      ...about(of, now - random.branch(`shop${of.row.id}`).int(1, 30) * HOUR),
      kind: 'eshop' as const,
      snapshot: { eshop: shopBodyOf(of.row) },
      changed: allShopFields,
    }
    made.push({ of, task })
  }
  for (const { of, task } of made) {
    const { found } = await judgeApplication(db, task as never, of.owner, now)
    task.flags = found.filter(({ level }) => level !== 'warn').map(({ rule }) => rule)
  }
  if (made.length === 0) return
  await insertRows(
    db,
    application,
    made.map(({ task }) => task),
  )
  await afterIds(db)
}

/** Stores in audit, and changes of stores in trade. */
export const demo: readonly DemoStep[] = [{ place: 86, branch: 'store applications', run: seed }]
