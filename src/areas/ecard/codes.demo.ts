import { asc, eq, inArray, sql } from 'drizzle-orm'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { ecard_batch } from './code.table.ts'
import { beginBatch, generateSome } from './codeBatches.server.ts'
import { ecard, ecard_attr } from './ecard.table.ts'

const CODES = 30_000
/** Days ago that codes came in, and the days over which they were sold. */
const IN_STOCK = 64
const SOLD_OVER = 60
/** Codes of the batches made here: those of orders have a life of their own. */
const own = sql`e.order_id is null and e.batch_no in (select b.batch_no from ecard_batch b)`
type By = { now: number; staff: readonly number[]; members: number }

/** A batch for each face, of which one file had bad lines and some secrets are asked for. */
const makeBatches = async (db: Db, sealer: Sealer, { now, staff }: By, each: number) => {
  const made = now - IN_STOCK * DAY
  const faces = await db
    .select({ face: ecard_attr, source: ecard.source })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(inArray(ecard.source, ['generate', 'import']))
    .orderBy(asc(ecard_attr.id))
  for (const [at, { face, source }] of faces.entries()) {
    const isBad = source === 'import' && at % 4 === 0
    const errors = isBad
      ? ([
          { line: 3, fault: 'secret_twice' },
          { line: 8, fault: 'form' },
          { line: 12, fault: 'taken' },
        ] as const)
      : []
    const batch = await beginBatch(db, face, {
      kind: source === 'import' ? 'import' : 'generate',
      qty: each + errors.length,
      bad_n: errors.length,
      errors: [...errors],
      reason: source === 'import' ? '供应商本月到货' : '节前备货',
      admin_id: staff[at % staff.length]!,
      created_at: made,
    })
    await generateSome(db, sealer, { batch, face, n: each, now: made })
  }
}
/** The states of codes of cards on sale, by their place in their face. */
const sellSome = (db: Db, { now, staff, members }: By, each: number) =>
  db.execute(sql`
    with placed as (
      select e.id, (((row_number() over (partition by e.attr_id order by e.id) - 1) * 100 + e.attr_id * 37) / ${each}::int)::int % 100 as n, c.valid_type, c.valid_until as ends, c.valid_days
      from ecard_code e join ecard c on c.id = e.card_id where c.state <> 'draft' and e.state = 'free' and ${own}),
    told as (
      select id, n, valid_type, ends, valid_days,
        case when n between 1 and 15 then 'sold' when n between 16 and 33 then 'active' when n between 34 and 41 then 'used_up'
          when n between 42 and 45 then case when valid_type = 'none' then 'active' else 'expired' end
          when n between 46 and 48 then 'frozen' when n between 49 and 52 then 'void' when n between 53 and 54 then 'refunded' else 'free' end as state
      from placed),
    timed as (
      select *, case when state in ('free', 'void') or n = 46 then null
        else ${now - (SOLD_OVER + 1) * DAY}::bigint + (id::bigint * 7919 * 1009) % ${(SOLD_OVER - 15) * DAY}::bigint end as sold
      from told)
    update ecard_code e set state = t.state, sold_at = t.sold,
      before_freeze = case when t.state = 'frozen' then case t.n when 46 then 'free' when 47 then 'sold' else 'active' end end,
      frozen_by = case when t.state = 'frozen' then ${staff[0]!}::int end,
      frozen_at = case when t.state = 'frozen' then ${now - 3 * DAY}::bigint end,
      reason = case t.state when 'frozen' then '会员挂失，核实中' when 'void' then '印刷错误，整张作废' end,
      activated_at = case when t.state in ('active', 'used_up', 'expired') or t.n = 48 then t.sold + 3600 * (1 + t.n % 40) end,
      holder_id = case when t.state in ('active', 'used_up', 'expired') or t.n = 48 then 1 + (e.id * 31) % ${members} end,
      shown_at = case when t.state in ('active', 'used_up', 'expired') or t.n in (12, 48) then t.sold + 1800 end,
      balance_cents = case
        when t.state = 'active' or t.n = 48 then e.face_cents - e.face_cents * (e.id % 4) / 5
        when t.state = 'expired' then e.face_cents - e.face_cents / 5 else 0 end,
      valid_until = case when t.sold is null or t.valid_type = 'none' then null
        when t.state = 'expired' then ${now - 2 * DAY}::bigint - t.n * 3600
        when t.valid_type = 'fixed' then t.ends
        when t.state in ('active', 'used_up') or t.n = 48 then t.sold + t.valid_days::bigint * ${DAY}::bigint end
    from timed t where e.id = t.id`)
/** The ledger of what was activated and spent; amounts that leave what is on each card. */
const bookSome = async (db: Db, { now }: By): Promise<void> => {
  await db.execute(sql`
    insert into ecard_ledger (created_at, owner, code_id, type, amount_cents, balance_after_cents, ref_type, ref_id)
    select activated_at, 'code', id, 'activate', face_cents, face_cents, 'code', id from ecard_code e where activated_at is not null and ${own} order by id`)
  const part = sql`((face_cents - balance_cents) / 2)`
  await db.execute(sql`
    insert into ecard_ledger (created_at, owner, code_id, type, amount_cents, balance_after_cents, reason)
    select activated_at + ${DAY}, 'code', id, 'spend', -${part}, face_cents - ${part}, '门店消费' from ecard_code e where activated_at is not null and balance_cents < face_cents and ${own} order by id`)
  await db.execute(sql`
    insert into ecard_ledger (created_at, owner, code_id, type, amount_cents, balance_after_cents, reason)
    select least(activated_at + ${5 * DAY}, ${now}::bigint), 'code', id, 'spend', balance_cents - face_cents + ${part}, balance_cents, '门店消费' from ecard_code e where activated_at is not null and balance_cents < face_cents and ${own} order by id`)
  await db.execute(sql`
    insert into ecard_ledger (created_at, owner, code_id, type, amount_cents, balance_after_cents)
    select valid_until, 'code', id, 'expire', 0, balance_cents from ecard_code e where state = 'expired' and ${own} order by id`)
}
/** The counts of faces and cards, as their codes are. */
const countAll = async (db: Db): Promise<void> => {
  await db.execute(sql`
    update ecard_attr a set free_n = n.free, held_n = n.held, sold_n = n.sold, void_n = n.gone
    from (select attr_id, count(*) filter (where state = 'free')::int free, count(*) filter (where state = 'held')::int held,
      count(*) filter (where state in ('sold', 'active', 'used_up', 'expired') or before_freeze in ('sold', 'active'))::int sold,
      count(*) filter (where state in ('void', 'refunded') or before_freeze = 'free')::int gone from ecard_code group by attr_id) n
    where n.attr_id = a.id`)
  await db.execute(
    sql`update ecard c set sold = (select coalesce(sum(a.sold_n), 0) from ecard_attr a where a.card_id = c.id)`,
  )
}
/** Some files of secrets wait for a second person, one for whoever asked. */
const askSome = async (db: Db, [first, second]: readonly number[]): Promise<void> => {
  const [one, other] = await db
    .select({ id: ecard_batch.id })
    .from(ecard_batch)
    .orderBy(asc(ecard_batch.id))
    .limit(2)
  const asked_reason = '交给线下印制实体卡'
  const set = (id: number | undefined, of: Partial<typeof ecard_batch.$inferInsert>) =>
    db
      .update(ecard_batch)
      .set({ ...of, asked_reason })
      .where(eq(ecard_batch.id, id ?? 0))
  await set(one?.id, { secrets: 'asked', asked_by: second! })
  await set(other?.id, { secrets: 'agreed', asked_by: first!, agreed_by: second! })
}

/** About 30,000 codes over the demo's cards, in every state that needs no order, with their ledger. */
const seedCodes = async (db: Db, _: Random, world: World): Promise<void> => {
  const { now, people, memberCount: members, codeKeys, scale } = world
  if (!codeKeys) return
  const active = people.filter(one => one.status === 'active')
  const admins = active.filter(one => one.role === 'super_admin').map(one => one.id)
  const others = active.filter(one => one.role !== 'super_admin').map(one => one.id)
  const by: By = { now, staff: [admins[0]!, others[0]!], members }
  const faces = await db.$count(ecard_attr)
  const each = Math.max(60, Math.round((CODES * scale) / Math.max(1, faces)))
  await makeBatches(db, await sealerOf(openKeyFile(codeKeys), db), by, each)
  await sellSome(db, by, each)
  await bookSome(db, by)
  await countAll(db)
  await askSome(db, by.staff)
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [{ place: 96, branch: 'e-card-codes', run: seedCodes }]
