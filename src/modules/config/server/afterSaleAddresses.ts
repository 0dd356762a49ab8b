import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import { openReturnsTo } from '#src/areas/afterSalePolicy/policies.server.ts'
import { merchant, return_address } from '#src/areas/merchant/merchant.table.ts'
import { returnFaults, type ReturnTo } from '#src/areas/merchant/onlineShop.ts'
import { isDistrict } from '#src/areas/merchant/onlineShops.server.ts'
import { say } from '#src/domain/text.ts'
import {
  implement,
  type Db,
  type Handler,
  type ReadContext,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { equal, faultless, holding, record, reverting } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { afterSaleAddresses as contract } from '../contract/afterSales.ts'

const ofMerchant = (column: string) =>
  `(select m.${column} from merchant m where m.id = t.merchant_id)`
defineKinds({
  return_address: at('return_address', {
    city: ofMerchant('city_id'),
    owner: ofMerchant('bd_admin_id'),
  }),
})
const seenMerchants = ({ scope }: Pick<ReadContext['staff'], 'scope'>) =>
  within(scope, { city: merchant.city_id, owner: merchant.bd_admin_id })
const edited = ['name', 'phone', 'area', 'address'] as const
type Row = typeof return_address.$inferSelect
const addresses = record(return_address, {
  object: 'return_address',
  label: row => `${row.area}${row.address}`,
  keys: ['merchant_id', ...edited, 'is_default', 'status'],
  // Those in use, of merchants that the person sees.
  places: staff => {
    const theirs = seenMerchants(staff)
    return and(
      eq(return_address.status, 'on'),
      theirs &&
        sql`exists (select 1 from ${merchant} where ${merchant.id} = ${return_address.merchant_id} and ${theirs})`,
    )
  },
})
const lockMerchant = (tx: Db, merchant_id: number) =>
  lockSequence(tx, `return_address/${merchant_id}`)
const sound = ({ staff }: WriteContext, of: ReturnTo): void =>
  faultless(staff, returnFaults(of, isDistrict))
/** The address as the person holds it, with its merchant's list held before it. */
const heldAlone = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<Row> => {
  const { merchant_id } = await addresses.read(context.tx, context.staff, one.id)
  await lockMerchant(context.tx, merchant_id)
  return addresses.held(context, one)
}
/** Goods that are on their way must find where they were told to go. */
const notReturning = async ({ tx, staff }: WriteContext, row: Row): Promise<void> => {
  const n = (await openReturnsTo(tx, [row.id])).get(row.id) ?? 0
  if (n > 0)
    throw ruled(
      'returning',
      [
        '有 {n} 笔退货正寄往该地址，请新增地址，等退货办结后再处理',
        '{n} returns are on their way to it: add another, and come back once they have ended',
      ],
      { n },
    )
  const { rows } = await tx.execute<{ name: string }>(
    sql`select name from store where return_address_id = ${row.id} and status in ('auditing', 'open', 'resting') limit 1`,
  )
  if (rows[0])
    throw ruled(
      'in_use',
      [
        '网店“{name}”使用该地址，请先在网店资料中更换',
        'The shop “{name}” has it: change it in its record first',
      ],
      { name: say([rows[0].name, rows[0].name], staff.lang) },
    )
}

const handlers = {
  lst: async ({ page, pageSize, keyword, merchant_id }, { db, staff }) => {
    const where = and(
      addresses.seen(staff),
      equal(return_address, { ...(merchant_id !== undefined && { merchant_id }) }),
      holding(keyword, [
        return_address.name,
        return_address.phone,
        return_address.area,
        return_address.address,
      ]),
    )
    const rows = await db
      .select({ row: return_address, merchant_name: merchant.name })
      .from(return_address)
      .innerJoin(merchant, eq(merchant.id, return_address.merchant_id))
      .where(where)
      .orderBy(
        asc(return_address.merchant_id),
        desc(return_address.is_default),
        asc(return_address.id),
      )
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const returning = await openReturnsTo(
      db,
      rows.map(({ row }) => row.id),
    )
    return {
      list: rows.map(({ row, merchant_name }) => ({
        ...row,
        merchant_name,
        returning: returning.get(row.id) ?? 0,
      })),
      ...(await countOf(db, return_address, where)),
    }
  },
  merchants: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      ne(merchant.status, 'terminated'),
      seenMerchants(staff),
      holding(keyword, [merchant.name], merchant.id),
    )
    const list = await db
      .select({ id: merchant.id, name: merchant.name })
      .from(merchant)
      .where(where)
      .orderBy(asc(merchant.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, merchant, where)) }
  },
  addAddress: async (of, context) => {
    sound(context, of)
    const { tx } = context
    const [owner] = await tx
      .select({ status: merchant.status })
      .from(merchant)
      .where(and(eq(merchant.id, of.merchant_id), seenMerchants(context.staff)))
    if (!owner) throw missing()
    if (owner.status === 'terminated')
      throw ruled('merchant_over', ['商户已终止合作', 'The merchant has left'])
    await lockMerchant(tx, of.merchant_id)
    const [usual] = await tx
      .select({ id: return_address.id })
      .from(return_address)
      .where(
        and(eq(return_address.merchant_id, of.merchant_id), eq(return_address.is_default, true)),
      )
    return addresses.add(context, { ...of, is_default: usual === undefined })
  },
  editAddress: async ({ id, version, ...of }, context) => {
    sound(context, of)
    const was = await addresses.held(context, { id, version })
    const n = (await openReturnsTo(context.tx, [id])).get(id) ?? 0
    const moves = was.area !== of.area || was.address !== of.address
    if (n > 0 && moves) await notReturning(context, was)
    return addresses.save(context, was, of)
  },
  setDefaultAddress: async (one, context) => {
    const was = await heldAlone(context, one)
    if (was.is_default) throw ruled('wrong_state', ['已是默认地址', 'It is the default'])
    const [before] = await context.tx
      .select()
      .from(return_address)
      .where(
        and(eq(return_address.merchant_id, was.merchant_id), eq(return_address.is_default, true)),
      )
    if (before) await addresses.save(context, before, { is_default: false })
    return addresses.save(context, was, { is_default: true })
  },
  delAddress: async (one, context) => {
    const was = await heldAlone(context, one)
    if (was.is_default)
      throw ruled('is_default', [
        '默认退货地址不能删除，请先把另一个设为默认',
        'The default can’t be deleted: make another one the default first',
      ])
    await notReturning(context, was)
    return addresses.save(context, was, { status: 'off' })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(addresses, [way(contract.editAddress, handlers.editAddress, edited)])

export const afterSaleAddressesServer = implement(contract, handlers)
