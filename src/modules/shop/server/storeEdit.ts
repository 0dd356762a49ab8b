import { sql } from 'drizzle-orm'
import { historyOf, withdrawOpen } from '#src/areas/application/applying.server.ts'
import { storeCategory } from '#src/areas/application/storeJudge.server.ts'
import { picturesFault, type AuditedStore } from '#src/areas/merchant/storeForm.ts'
import { hoursFault, hoursWords, withoutPast } from '#src/areas/merchant/storeHours.ts'
import { heldFor, stores, type Store } from '#src/areas/merchant/storeRecord.server.ts'
import { storeEffects } from '#src/areas/merchant/stores.server.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { storeEdit as contract } from '../contract/storeEdit.ts'
import { heldOwner, pinOf, setFacilities, submitStoreChange } from './storeApplying.ts'
import { changeInWords, profileOf } from './storeForms.ts'

const DEALS_MOST = 50
/** The store as the person holds it, after its merchant. */
const ownedStore = async (context: WriteContext, one: { id: number; version: number }) => {
  const known = await stores.read(context.tx, context.staff, one.id)
  return heldOwner(context.tx, known.merchant_id)
}
type Deal = {
  id: number
  title: string
  kind: 'bulks' | 'card' | 'voucher' | 'goods' | 'elist'
  codes: number
  first: boolean
}
/** Products on sale at a store, and paid uses of each that nobody has had; those with most first. */
const dealsOf = (of: Store) => sql`
  select p.id, p.title, p.kind, p.store_ids->0 = to_jsonb(${of.id}::int) "first",
    (select count(*)::int from order_code c join "order" o on o.id = c.order_id where c.product_id = p.id and c.state in ('locked', 'unused', 'part_used') and c.left_times > 0 and o.pay_state = 'paid') codes
  from product_store ps join product p on p.id = ps.product_id where ps.store_id = ${of.id} and ps.status = 'on' and p.state = 'on_sale' order by codes desc, p.id`

const handlers = {
  detail: async ({ id }, { db, staff }) => profileOf(db, await stores.read(db, staff, id), staff),
  save: async ({ facility_ids, hours, images, ...fields }, context) => {
    const { id, version, ...same } = fields
    const was = await heldFor(context, 'edit', { id, version })
    const now = withoutPast(hours, context.now)
    faultless(context.staff, { hours: hoursFault(now), images: picturesFault(images, was.images) })
    await setFacilities(context, was, facility_ids)
    return stores.save(context, was, {
      ...same,
      hours: now,
      open_hours: hoursWords(now),
      images,
      logo: images[0] ?? was.logo,
    })
  },
  submitChange: async ({ id, version, confirm_pin, mid, lng_e6, lat_e6, ...same }, context) => {
    const owner = await ownedStore(context, { id, version })
    const was = await heldFor(context, 'edit', { id, version })
    const next: AuditedStore = { ...same, mall_id: mid, pin: pinOf({ lng_e6, lat_e6 }) }
    await submitStoreChange(context, was, owner, { next, confirmed: confirm_pin })
    return was
  },
  withdrawChange: async (one, context) => {
    const owner = await ownedStore(context, one)
    const was = await stores.heldFast(context, one)
    const taken = await withdrawOpen(context, { merchant_id: owner.id, store_id: was.id })
    if (taken.kind === 'store' && was.status === 'auditing')
      return stores.save(context, was, { status: 'draft' })
    return was
  },
  viewHistory: async ({ id }, { db, staff }) => {
    const row = await stores.read(db, staff, id)
    const list = []
    for (const task of await historyOf(db, id))
      list.push({ ...task, ...(await changeInWords(db, task, row, staff)) })
    return { list }
  },
  previewImpact: async ({ id, category_id, mid }, { db, staff }) => {
    const row = await stores.read(db, staff, id)
    const { rows } = await db.execute<Deal>(dealsOf(row))
    const { codes_here } = await storeEffects(db, id)
    const kinds =
      category_id === undefined ? [] : ((await storeCategory(db, category_id))?.product_kinds ?? [])
    const fits = (deal: Deal) =>
      kinds.length === 0 || (kinds as readonly string[]).includes(deal.kind)
    return {
      // What keeps the change from being made is among those that are shown.
      deals: rows
        .map(deal => ({ ...deal, fits: fits(deal) }))
        .sort((a, b) => Number(a.fits) - Number(b.fits))
        .slice(0, DEALS_MOST),
      on_sale: rows.length,
      codes: rows.reduce((sum, deal) => sum + deal.codes, 0),
      only_here: codes_here,
      goes_along:
        mid === undefined || mid === row.mall_id ? 0 : rows.filter(deal => deal.first).length,
    }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const storeEditServer = implement(contract, handlers)
