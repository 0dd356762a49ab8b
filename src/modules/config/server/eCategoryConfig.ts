import { isNull } from 'drizzle-orm'
import { newestOf, savePolicy } from '#src/areas/afterSalePolicy/policies.server.ts'
import {
  eCategories as categories,
  eCategoryPlaces,
  eCategoryTree as tree,
  isUploaded,
  leavesFor,
  listedECategories,
  moveProducts,
} from '#src/areas/merchant/eCategories.server.ts'
import { commissionWords, returnWords } from '#src/areas/merchant/eCategory.ts'
import { e_category } from '#src/areas/merchant/merchant.table.ts'
import { switches } from '#src/areas/people/people.ts'
import { comma, joined, say } from '#src/domain/text.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, faultless, reverting, turning } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { inputOf, way } from '#src/server/call/reverts.ts'
import { listedWithNames, moveWay, paged } from '#src/server/call/tree.ts'
import { eCategoryConfig as contract } from '../contract/eCategoryConfig.ts'

/** Both pictures were uploaded. */
const pictured = async (
  { tx, staff }: WriteContext,
  { icon, picture }: { icon: string; picture: string },
): Promise<void> => {
  const gone = ['图片已不存在，请重新上传', 'The picture is gone: upload it again'] as const
  faultless(staff, {
    icon: (await isUploaded(tx, icon)) ? undefined : gone,
    picture: (await isUploaded(tx, picture)) ? undefined : gone,
  })
}
const word = {
  on: ['已显示', 'Already shown'],
  off: ['已隐藏', 'Already hidden'],
} as const
const shownNow = { rule: 'wrong_state', ...word }
/** What products of a new category must hold to, until it is said otherwise: as the one above. */
const bounds = (above: typeof e_category.$inferSelect | undefined) => ({
  commission_min_bp: above?.commission_min_bp ?? 0,
  commission_max_bp: above?.commission_max_bp ?? 3000,
  floor_bp: above?.floor_bp ?? 3000,
  need_licenses: above?.need_licenses ?? [],
})

/** Fields of an after-sale policy as this page asks for them. */
const policyFields: Readonly<Record<string, string>> = {
  no_reason_days: 'policy.days',
  exempt: 'policy.exempt',
}
const handlers = {
  lst: async (_, { db }) => ({ list: await listedECategories(db) }),
  places: (asked, { db, staff }) => eCategoryPlaces(db, asked, staff.lang),
  leaves: async ({ page, pageSize, ...asked }, { db }) =>
    paged(await leavesFor(db, asked), { page, pageSize }),
  create: async ({ parent_id = null, take_products, ...fields }, context) => {
    const all = await tree.locked(context.tx)
    await pictured(context, fields)
    const values = { ...fields, ...bounds(all.row(parent_id)), parent_id }
    if (!take_products) return { ...(await tree.add(context, all, values)), moved: 0 }
    return tree.addTaking(context, all, values)
  },
  edit: async ({ id, version, ...fields }, context) => {
    const held = await tree.held(context, { id, version })
    tree.named(held, fields.name)
    await pictured(context, fields)
    return categories.save(context, held.row, fields)
  },
  move: async ({ id, version, parent_id = null, sort }, context) =>
    tree.place(context, await tree.held(context, { id, version }), { parent_id, sort }),
  setCommission: async ({ rate_bp, reason, ...one }, context) => {
    const { row } = await tree.held(context, one)
    return categories.save(context, row, { commission_bp: rate_bp ?? null }, reason)
  },
  setQualification: async ({ list, classes, ...one }, context) => {
    const { row } = await tree.held(context, one)
    return categories.save(context, row, {
      need_licenses: [...new Set(list)],
      ...(classes && { trademark_classes: [...new Set(classes)] }),
    })
  },
  setReturnPolicy: async ({ policy, ...one }, context) => {
    const { row } = await tree.held(context, one)
    const newest = await newestOf(context.tx, row.id)
    await savePolicy(context, {
      category_id: row.id,
      version_no: newest?.version_no ?? 0,
      reason: joined(['在电商分类中设置', 'Set at the category']),
      at: name => policyFields[name] ?? name,
      change: was =>
        policy
          ? {
              ...was,
              no_reason_days: policy.days,
              exempt: policy.exempt,
              freight_payer: policy.payer,
            }
          : null,
    })
    return categories.set(context, row, {})
  },
  show: async (one, context) => {
    const { row } = await tree.held(context, one)
    await turning(Promise.resolve(row), 'on', shownNow)
    return categories.save(context, row, { status: 'on', searchable: true })
  },
  hide: async ({ reason, searchable, ...one }, context) => {
    const { row } = await tree.held(context, one)
    await turning(Promise.resolve(row), 'off', shownNow)
    return categories.save(context, row, { status: 'off', searchable }, reason)
  },
  mergeInto: async ({ target_id, reason, ...one }, context) =>
    tree.merge(context, await tree.held(context, one), {
      target_id,
      reason,
      gone: { status: 'off' },
    }),
  moveProducts: async ({ target_id, ...one }, context) => {
    const { row, tree: all } = await tree.held(context, one)
    const target = all.row(target_id)
    if (!target || target.id === row.id || all.children(target_id).length > 0)
      throw invalid({ target_id: ['请选择另一个末级分类', 'Choose another leaf'] })
    const after = await categories.set(context, row, {})
    const moved = await moveProducts(context.tx, row.id, target_id)
    if (moved === 0) throw ruled('no_products', ['该分类没有商品', 'It has no products'])
    categories.log(context, after, {
      before: { products_in: row.id },
      after: { products_in: target_id, moved },
    })
    return { id: row.id, version: after.version, moved }
  },
  del: async (one, context) => tree.remove(context, await tree.held(context, one)),
  export: exporting(
    {
      of: categories,
      where: () => isNull(e_category.merged_into),
      shown: async (db, rows) =>
        listedWithNames(await tree.standing(db), rows, await listedECategories(db)),
    },
    {
      page: 'config.entry.eCategoryConfig',
      title: ['电商分类', 'E-commerce categories'],
      permit: contract.export.permit,
      columns: [
        { key: 'id', title: ['编号', 'ID'], kind: 'number' },
        { key: 'name', title: ['分类', 'Category'] },
        { key: 'level', title: ['层级', 'Level'], kind: 'number' },
        { key: 'products', title: ['商品', 'Products'], kind: 'number' },
        { key: 'on_sale', title: ['在售', 'On sale'], kind: 'number' },
        { key: 'rate', title: ['佣金', 'Commission'] },
        { key: 'licences', title: ['资质要求', 'Licences'] },
        { key: 'returns', title: ['退货政策', 'Returns'] },
        { key: 'status', title: ['状态', 'State'] },
      ],
      words: () => [],
      cells: (row, { lang }) => ({
        id: row.id,
        name: row.full_name,
        level: row.level,
        products: row.products_all,
        on_sale: row.on_sale,
        rate: commissionWords(row.rate_bp, lang),
        licences: row.need_licenses.join(say(comma, lang)),
        returns: returnWords(row.return_policy, lang),
        status: say(switches[row.status], lang),
      }),
    },
  ),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(categories, [
  way(contract.edit, handlers.edit, ['name', 'icon', 'picture']),
  moveWay(contract.move, handlers.move),
  way(
    contract.setQualification,
    handlers.setQualification,
    ['need_licenses', 'trademark_classes'],
    inputOf({ list: 'need_licenses', classes: 'trademark_classes' }),
  ),
])

export const eCategoryServer = implement(contract, handlers)
