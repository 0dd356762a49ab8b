import { historyOf, withdrawOpen } from '#src/areas/application/applying.server.ts'
import { shopChange } from '#src/areas/application/shopJudge.server.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { shopEdit as contract } from '../contract/editStores.ts'
import { heldOwner, liveColumns, needWhole, submitShopChange } from './applying.ts'
import { profileOf } from './forms.ts'
import { heldShop, saveShop, shops } from './rows.ts'

/** The shop's merchant, held before the shop. */
const ownerOf = async (context: WriteContext, { id }: { id: number }) =>
  heldOwner(context, (await shops.read(context.tx, context.staff, id)).merchant_id)

const handlers = {
  detail: async ({ id }, { db, staff }) => profileOf(db, await shops.read(db, staff, id), staff),
  save: async ({ id, version, ...live }, context) => {
    const was = await heldShop(context, 'edit', { id, version })
    const values = await liveColumns(context, was.merchant_id, live)
    needWhole(context, { ...was, ...values })
    return saveShop(context, was, values)
  },
  submitChange: async ({ id, version, ...asked }, context) => {
    const owner = await ownerOf(context, { id })
    const was = await heldShop(context, 'edit', { id, version })
    const { commission_bp = was.commission_bp, ...same } = asked
    await submitShopChange(context, was, owner, { ...same, commission_bp })
    return was
  },
  withdrawChange: async (one, context) => {
    const owner = await ownerOf(context, one)
    const was = await shops.heldFast(context, one)
    const taken = await withdrawOpen(context, { merchant_id: owner.id, store_id: was.id })
    return taken.kind === 'eshop' && was.status === 'auditing'
      ? saveShop(context, was, { status: 'draft' })
      : was
  },
  viewHistory: async ({ id }, { db, staff }) => {
    const row = await shops.read(db, staff, id)
    const list = []
    for (const task of await historyOf(db, id))
      list.push({ ...task, ...(await shopChange(db, task, row, staff.lang)) })
    return { list }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const shopEditServer = implement(contract, handlers)
