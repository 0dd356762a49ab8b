import { and, asc, eq, ilike, ne, or, sql } from 'drizzle-orm'
import { withdrawOpen } from '#src/areas/application/applying.server.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { merchantGiven } from '#src/areas/merchant/bd.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import {
  contractFault,
  isOver,
  keepsContract,
  merchantCan,
  merchantStates,
  rateFromTomorrow,
  settleCycles,
} from '#src/areas/merchant/merchant.ts'
import {
  effectsOf,
  endContracts,
  endSales,
  giveBack,
  takeOffSale,
} from '#src/areas/merchant/sales.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { makePassword, staffInScope } from '#src/areas/people/staff.server.ts'
import { needCity } from '#src/areas/place/places.server.ts'
import { yuan } from '#src/domain/money.ts'
import { say, type Text } from '#src/domain/text.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, faultless, reverting, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { hashPassword } from '#src/server/sessions/passwords.ts'
import { shopIndex as contract } from '../contract/index.ts'
import { submitDraft } from './applying.ts'
import {
  draftOf,
  edited,
  heldFor,
  list,
  merchants,
  refuseTaken,
  statOf,
  type Filters,
  type Merchant,
} from './merchants.ts'

/** A merchant's line in the log says besides how many products followed. */
const followed = (context: WriteContext, row: Merchant, after: object) =>
  Object.values(after).some(n => n > 0) && merchants.log(context, row, { after })

/** What is wrong where something is not there. */
const unless = (there: unknown, fault: Text): Text | undefined => (there ? undefined : fault)
const noColleague: Text = ['该员工不存在或已停用', 'There is no such colleague']

const handlers = {
  lst: async ({ page, pageSize, ...filters }, context) => {
    const { status: _, ...others } = filters
    return {
      ...(await list.page({ page, pageSize, ...filters } as never, context)),
      stat: await statOf(context.db, list.where(others as Filters, context)),
    }
  },
  effects: async ({ id }, { db, staff }) => effectsOf(db, (await merchants.read(db, staff, id)).id),
  bds: async ({ page, pageSize, keyword, owning }, { db, staff }) => {
    const where = and(
      staffInScope(staff),
      eq(admin.status, 'active'),
      keyword
        ? or(ilike(admin.name, like(keyword)), ilike(admin.account, like(keyword)))
        : undefined,
      owning ? sql`exists (select 1 from merchant m where m.bd_admin_id = ${admin.id})` : undefined,
    )
    const rows = await db
      .select({ id: admin.id, name: admin.name, account: admin.account })
      .from(admin)
      .where(where)
      .orderBy(asc(admin.name), asc(admin.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, admin, where)) }
  },
  create: async (fields, context) => {
    needCity(context.staff, fields.city_id)
    await refuseTaken(context, fields.license_no)
    const row = await draftOf(context, fields)
    return unlessTaken(merchants.add(context, row), () =>
      ruled('license_taken', ['该信用代码刚刚被录入', 'The credit code was entered just now']),
    )
  },
  edit: async ({ id, version, ...fields }, context) => {
    const was = await heldFor(context, 'contact', { id, version })
    if (fields.name !== undefined && fields.name !== was.name) {
      const may = merchantCan('edit', was)
      if (may !== true)
        throw ruled('frozen', ['已冻结的商户只能修改联系人', 'Of a frozen one the contact alone'])
    }
    return merchants.save(context, was, fields)
  },
  submit: async (one, context) => submitDraft(context, await heldFor(context, 'submit', one)),
  withdraw: async (one, context) => {
    const was = await heldFor(context, 'withdraw', one)
    await withdrawOpen(context, { merchant_id: was.id, store_id: null })
    return was.status === 'auditing' ? merchants.save(context, was, { status: 'draft' }) : was
  },
  freeze: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'freeze', one)
    const after = await merchants.save(
      context,
      was,
      { status: 'frozen', status_reason: reason },
      reason,
    )
    const taken_off = await takeOffSale(context.tx, was.id, 'merchant_frozen')
    followed(context, after, { taken_off })
    return { ...after, taken_off }
  },
  unfreeze: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'unfreeze', one)
    const after = await merchants.save(
      context,
      was,
      { status: 'active', status_reason: null },
      reason,
    )
    // A contract that ended meanwhile keeps off what it would have taken off.
    if (isOver(was.contract_end_at, context.now))
      await takeOffSale(context.tx, was.id, 'contract_ended')
    const given_back = await giveBack(context.tx, was.id, 'merchant_frozen')
    followed(context, after, { given_back })
    return { ...after, given_back }
  },
  terminate: async ({ reason, ...one }, context) => {
    const { tx } = context
    const was = await heldFor(context, 'terminate', one)
    // Taken off first: nothing is sold between the count and the end.
    const taken_off = await endSales(tx, was.id, reason)
    const left = await effectsOf(tx, was.id)
    if (keepsContract(left))
      throw ruled(
        'unsettled',
        [
          '还不能终止：未核销券码 {codes} 张，未完成订单 {orders} 个，处理中售后 {refunds} 个，未结算 {unsettled} 元，未提现 {balance} 元',
          'Not yet: {codes} codes to redeem, {orders} orders to fulfil, {refunds} cases open, ¥{unsettled} to settle, ¥{balance} to pay out',
        ],
        {
          codes: left.codes,
          orders: left.orders,
          refunds: left.refunds,
          unsettled: yuan(left.unsettled_cents),
          balance: yuan(left.balance_cents),
        },
        left,
      )
    const after = await merchants.save(
      context,
      was,
      { status: 'terminated', status_reason: reason },
      reason,
    )
    await tx
      .update(store)
      .set({ status: 'closed', status_reason: reason, version: sql`${store.version} + 1` })
      .where(and(eq(store.merchant_id, was.id), ne(store.status, 'closed')))
    followed(context, after, { taken_off })
    return after
  },
  renew: async ({ id, version, contract_end_at, commission_bp }, context) => {
    const { tx, staff, now } = context
    const was = await heldFor(context, 'renew', { id, version })
    faultless(staff, {
      contract_end_at: contractFault(
        contract_end_at,
        {
          start_at: was.contract_start_at,
          current_end_at: was.contract_end_at,
          license_expire_at: was.license_expire_at,
        },
        now,
      ),
    })
    const after = await merchants.save(context, was, {
      contract_end_at,
      ...rateFromTomorrow(was, commission_bp, now),
    })
    const given_back = await giveBack(tx, was.id, 'contract_ended')
    followed(context, after, { given_back })
    return { ...after, given_back }
  },
  changeBd: async ({ admin_id, reason, ...one }, context) => {
    const { tx, staff } = context
    const was = await heldFor(context, 'changeBd', one)
    const [to] = await tx
      .select({ id: admin.id })
      .from(admin)
      .where(and(eq(admin.id, admin_id), eq(admin.status, 'active'), staffInScope(staff)))
    const same: Text = ['已是该商户的 BD', 'They are its BD']
    faultless(staff, {
      admin_id: admin_id === was.bd_admin_id ? same : unless(to, noColleague),
    })
    const after = await merchants.save(context, was, { bd_admin_id: admin_id }, reason)
    await merchantGiven(tx, {
      merchant_id: was.id,
      from: was.bd_admin_id,
      to: admin_id,
      by: staff.id,
      reason,
      now: context.now,
    })
    return after
  },
  resetPassword: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'resetPassword', one)
    const initial_password = makePassword()
    const app_password_hash = await hashPassword(initial_password)
    const after = await merchants.set(context, was, { app_password_hash, app_must_change: true })
    merchants.log(context, after, { after: { app_must_change: true }, reason })
    return { ...after, initial_password }
  },
  revealBank: async ({ id, reason }, context) => {
    const row = await merchants.read(context.tx, context.staff, id)
    if (row.bank_no === null)
      throw ruled('no_bank', ['没有登记结算账户', 'No account is on record'])
    const of = { object_type: 'merchant', object_id: id, object_label: row.name }
    return {
      id,
      holder: row.bank_holder ?? '',
      bank_name: row.bank_name ?? '',
      bank_no: row.bank_no,
      ...(await noteReveal(context, 'merchant.bank_no', of, reason)),
    }
  },
  export: exporting(list, {
    page: 'shop.index',
    title: ['商户', 'Merchants'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'merchant_no', title: ['商户号', 'Number'] },
      { key: 'name', title: ['商户名称', 'Name'] },
      {
        key: 'license_no',
        title: ['统一社会信用代码', 'Credit code'],
        field: 'merchant.license_no',
      },
      { key: 'license_expire_at', title: ['执照有效期', 'Licence until'], kind: 'time' },
      { key: 'contact_name', title: ['联系人', 'Contact'], field: 'merchant.contact_name' },
      { key: 'contact_phone', title: ['联系电话', 'Phone'], field: 'merchant.contact_phone' },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'bd_name', title: ['BD', 'BD'] },
      { key: 'contract_end_at', title: ['合同到期', 'Contract until'], kind: 'time' },
      { key: 'rate', title: ['抽佣比例（%）', 'Take rate (%)'], field: 'product.commission_bp' },
      { key: 'bank_no', title: ['结算账号', 'Account'], field: 'merchant.bank_no' },
      { key: 'settle_cycle', title: ['结算周期', 'Settlement'] },
      { key: 'deposit_cents', title: ['保证金', 'Deposit'], kind: 'money' },
      { key: 'store_count', title: ['门店', 'Stores'], kind: 'number' },
      { key: 'on_sale_count', title: ['在售商品', 'On sale'], kind: 'number' },
      {
        key: 'gmv_30d_cents',
        title: ['30 天成交', '30-day GMV'],
        kind: 'money',
        field: 'stat.gmv_cents',
      },
      { key: 'cases_30d', title: ['30 天售后', '30-day cases'], kind: 'number' },
      { key: 'status', title: ['状态', 'State'] },
    ],
    words: ({ status, keyword, ...on }, lang) => [
      status && say(merchantStates[status], lang),
      on.contract_ending && say(['合同将到期', 'Contract ending'], lang),
      on.license_expiring && say(['执照将到期', 'Licence expiring'], lang),
      on.no_bank && say(['无结算账户', 'No account'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      rate: String(row.commission_bp / 100),
      settle_cycle: say(settleCycles[row.settle_cycle], lang),
      status: say(merchantStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(merchants, [way(contract.edit, handlers.edit, edited)])
defineTimer('shop.contracts', '*/5 * * * *', async ({ database, now }) =>
  (await endContracts(database, now)) > 0 ? ['product', 'merchant'] : [],
)

export const shopIndexServer = implement(contract, handlers)
