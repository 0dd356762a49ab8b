import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import {
  application,
  type Application,
  type ApplicationUndo,
} from '#src/areas/application/application.table.ts'
import { isWhole, type ApplicationBody } from '#src/areas/application/application.ts'
import { shopBodyOf, shopColumns } from '#src/areas/application/shopJudge.server.ts'
import { storeBodyOf } from '#src/areas/application/storeJudge.server.ts'
import { bdOf, giveStore, receiver } from '#src/areas/merchant/bd.server.ts'
import { bd_assignment } from '#src/areas/merchant/bd.table.ts'
import type { ShopBody } from '#src/areas/merchant/onlineShop.ts'
import { auditedFields, type StoreBody } from '#src/areas/merchant/storeForm.ts'
/** What a decision of an application does to its store; the merchant is held. */
import { stores, type Store } from '#src/areas/merchant/storeRecord.server.ts'
import { settleStore } from '#src/areas/merchant/stores.server.ts'
import { joined } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import type { Merchant } from './merchants.ts'
import { floorIn, refuseDoor, takeAlong } from './storePlacing.ts'

type StoreUndo = NonNullable<ApplicationUndo['store']>

/** The store of an application, held. */
const storeOf = async (context: WriteContext, { store_id }: Application): Promise<Store> => {
  if (store_id === null) throw missing()
  const [row] = await context.tx
    .select()
    .from(stores.table)
    .where(eq(stores.table.id, store_id))
    .for('update')
  return row!
}
/** What an application asks for, as columns of the store. */
const columnsOf = async (context: WriteContext, asked: Partial<StoreBody>, mall_id: number) => {
  const given = auditedFields.filter(field => field in asked && field !== 'pin')
  const placed = asked.floor_id !== undefined || asked.mall_id !== undefined
  const floor = placed
    ? await floorIn(context, {
        mid: asked.mall_id ?? mall_id,
        floor_id: asked.floor_id ?? undefined,
      })
    : undefined
  return {
    ...(Object.fromEntries(given.map(field => [field, asked[field]])) as Partial<Store>),
    ...(asked.door_no !== undefined && { door_no: asked.door_no || null }),
    ...(floor && { floor_id: floor.id, floor: floor.name }),
    ...(asked.pin !== undefined && {
      lng_e6: asked.pin?.lng_e6 ?? null,
      lat_e6: asked.pin?.lat_e6 ?? null,
    }),
  }
}
const newStore = joined(['新店审核通过', 'A new store was approved'])
const toBeOpened = joined(['已通过审核，待开店', 'Approved, to be opened'])
/**
 * The merchant's BD looks after its new store, or whoever submitted it where that one can't; nobody
 * does where neither may own it. Answers whether it was given to somebody.
 */
const given = async (
  context: WriteContext,
  row: Store,
  candidates: readonly (number | null)[],
): Promise<boolean> => {
  const { tx, staff, now } = context
  if ((await bdOf(tx, row.id)) !== undefined) return false
  for (const to of candidates) {
    const able = to === null ? undefined : await receiver(tx, to)
    if (to === null || !able || 'fault' in able || !able.has(row)) continue
    await giveStore(tx, row.id, { to, by: staff.id, reason: newStore, now })
    stores.log(context, row, { before: { bd_admin_id: null }, after: { bd_admin_id: to } })
    return true
  }
  return false
}

/** Writes what was asked for to the store; a new one is open from then on, and has a BD. */
export const passStore = async (
  context: WriteContext,
  task: Application,
  owner: Merchant,
): Promise<{ replaced: ApplicationBody; undo: ApplicationUndo }> => {
  const { tx } = context
  const row = await storeOf(context, task)
  const isNew = task.kind === 'store'
  const body = await storeBodyOf(tx, row)
  // A change holds what is to be otherwise; a draft is in its row already, and stays as it was read.
  const asked = isNew ? {} : (task.snapshot.store ?? {})
  const values = {
    ...(await columnsOf(context, asked, row.mall_id)),
    ...(isNew && { status: 'open' as const, status_reason: null }),
  }
  await refuseDoor(tx, { ...row, ...values, status: isNew ? 'open' : row.status })
  const was = Object.fromEntries(
    Object.keys(values).map(column => [column, row[column as keyof Store]]),
  )
  const after = await stores.save(context, row, values)
  if (after.mall_id !== row.mall_id) await takeAlong(tx, after)
  if (isNew) await settleStore(tx, row.id)
  const owned = isNew && (await given(context, after, [owner.bd_admin_id, task.submitted_by]))
  const replaced = Object.fromEntries(
    Object.keys(asked).map(field => [field, body[field as keyof StoreBody]]),
  )
  return {
    replaced: { store: replaced },
    undo: {
      merchant: {},
      merchant_version: owner.version,
      listed: [],
      store: { was, version: after.version, owned },
    },
  }
}
/**
 * Writes what was asked for to an online shop; a new one rests until somebody opens it, which asks for
 * goods besides.
 */
export const passShop = async (
  context: WriteContext,
  task: Application,
  owner: Merchant,
): Promise<{ replaced: ApplicationBody; undo: ApplicationUndo }> => {
  const row = await storeOf(context, task)
  const isNew = task.kind === 'eshop'
  const asked = isNew ? {} : (task.snapshot.eshop ?? {})
  const values = {
    ...shopColumns(asked),
    ...(isNew && { status: 'resting' as const, status_reason: toBeOpened }),
  }
  const was = Object.fromEntries(
    Object.keys(values).map(column => [column, row[column as keyof Store]]),
  )
  const body = shopBodyOf(row)
  const after = await unlessTaken(stores.save(context, row, values), () =>
    ruled('shop_called', ['商户刚刚有了同名网店', 'The merchant has a shop of this name now']),
  )
  return {
    replaced: {
      eshop: Object.fromEntries(
        Object.keys(asked).map(field => [field, body[field as keyof ShopBody]]),
      ),
    },
    undo: {
      merchant: {},
      merchant_version: owner.version,
      listed: [],
      store: {
        was,
        version: after.version,
        owned: isNew && (await given(context, after, [owner.bd_admin_id, task.submitted_by])),
      },
    },
  }
}
/** A new store that was refused, or of which more is asked, is a draft that can be mended. */
export const draftAgain = async (
  context: WriteContext,
  task: Application,
  reason: string,
): Promise<StoreUndo | undefined> => {
  const row = await storeOf(context, task)
  if (row.status !== 'auditing') return undefined
  const after = await stores.save(context, row, { status: 'draft', status_reason: reason }, reason)
  return {
    was: { status: row.status, status_reason: row.status_reason },
    version: after.version,
    owned: false,
  }
}
/** The store as it was before a decision, while nothing was built on that. */
export const storeAsBefore = async (
  context: WriteContext,
  task: Application,
  { was, version, owned }: StoreUndo,
): Promise<void> => {
  const { tx } = context
  const row = await storeOf(context, task)
  const { rows } = await tx.execute<{ built: boolean }>(sql`
    select exists (select 1 from ${application} where ${and(eq(application.store_id, row.id), gt(application.id, task.id))})
      or (${isWhole(task.kind)} and exists (select 1 from product_store ps where ps.store_id = ${row.id})) built`)
  if (row.version !== version || rows[0]!.built)
    throw ruled('changed', ['之后又有变化，不能撤销', 'It changed since'])
  const after = await stores.save(context, row, was as Partial<Store>)
  if (after.mall_id !== row.mall_id) await takeAlong(tx, after)
  // Nobody looks after what is not open: the assignment never was.
  if (owned)
    await tx
      .delete(bd_assignment)
      .where(and(eq(bd_assignment.store_id, row.id), isNull(bd_assignment.end_at)))
}
