/** Material that sellers promote with: whose it is, what it is checked against, and its end. */
import { and, eq, inArray, lte, notInArray, or, sql, type SQL } from 'drizzle-orm'
import { upload } from '#src/areas/export/job.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { yuan } from '#src/domain/money.ts'
import { joined, type Text } from '#src/domain/text.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { faultless, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { dist_material as t } from './material.table.ts'
import {
  codeAreaFault,
  isOutdated,
  materialFaults,
  otherPrices,
  printedIn,
  type CodeArea,
  type MaterialKind,
} from './material.ts'

export type Material = typeof t.$inferSelect
export type MaterialFields = {
  title: string
  kind: MaterialKind
  product_id: number | null
  files: string[]
  code_area: CodeArea | null
  content: string
  mall_ids: number[]
  start_at: number
  end_at: number | null
}
/** A person sees what is for every mall, and what is for one of theirs. */
const places = ({ scope }: Pick<Staff, 'scope'>): SQL | undefined =>
  seesAll(scope)
    ? undefined
    : or(
        sql`${t.mall_ids} = '[]'::jsonb`,
        within(scope, {
          city: {
            several: sql`select m.city_id from mall m where ${t.mall_ids} @> to_jsonb(m.id)`,
          },
          mall: { several: sql`select jsonb_array_elements_text(${t.mall_ids})::int` },
        }),
      )
const area = (of: CodeArea | null): string => (of ? `${of.x},${of.y} ${of.size}×${of.size}` : '')
export const materialRows = record(t, {
  object: 'dist_material',
  label: row => row.title,
  keys: [
    'title',
    'kind',
    'product_id',
    'files',
    'code_area',
    'content',
    'mall_ids',
    'start_at',
    'end_at',
    'sort',
    'price_confirmed_at',
    'reason',
    'status',
  ],
  places,
  told: row => ({ ...row, code_area: area(row.code_area) }),
})

/** Refuses material that others use too: what a person changes is theirs in every mall. */
const refuseOthers = async ({ tx, staff }: WriteContext, mall_ids: readonly number[]) => {
  if (seesAll(staff.scope)) return
  const mine = await tx.$count(
    mall,
    and(
      inArray(mall.id, [...mall_ids, 0]),
      within(staff.scope, { city: mall.city_id, mall: mall.id }),
    ),
  )
  if (mall_ids.length === 0 || mine < new Set(mall_ids).size)
    throw ruled('not_yours', [
      '素材还用于你数据范围之外的商场，请由总部修改，或复制一份再改',
      'Malls beyond your data use it too: headquarters change it, or copy it first',
    ])
}
/** The row as the person holds it, locked; refused where it is not theirs alone. */
export const heldMaterial = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<Material> => {
  const was = await materialRows.heldFast(context, one)
  await refuseOthers(context, was.mall_ids)
  return was
}
export const sizeOf = async (db: Db, file: string | undefined) => {
  const [found] = await db
    .select({ width: upload.width, height: upload.height })
    .from(upload)
    .where(eq(upload.file_key, file ?? ''))
  return found ?? { width: null, height: null }
}
const areaFault = async (
  tx: Db,
  { kind, code_area, files }: Pick<MaterialFields, 'kind' | 'code_area' | 'files'>,
): Promise<Text | undefined> =>
  kind === 'poster' && code_area ? codeAreaFault(code_area, await sizeOf(tx, files[0])) : undefined
const placesFault = async (
  { tx, staff }: WriteContext,
  mall_ids: readonly number[],
): Promise<Text | undefined> => {
  if (mall_ids.length === 0)
    return seesAll(staff.scope)
      ? undefined
      : [
          '请选择你的商场；全部商场的素材由总部维护',
          'Choose malls of yours: only headquarters write for all',
        ]
  const known = await tx.$count(mall, inArray(mall.id, [...mall_ids]))
  return known < new Set(mall_ids).size
    ? ['有商场不存在', 'One of the malls is not there']
    : undefined
}
/** Pictures must be uploads of ours; a store elsewhere tells nothing of them. */
const pictureFault = async (
  { tx, install }: WriteContext,
  { kind, files }: Pick<MaterialFields, 'kind' | 'files'>,
): Promise<Text | undefined> => {
  if (kind === 'video' || files.length === 0 || install.storesElsewhere) return undefined
  const known = await tx.$count(upload, inArray(upload.file_key, files))
  return known < new Set(files).size
    ? ['有图片还没有上传', 'One of the pictures was not uploaded']
    : undefined
}
/** What a row holds of the fields that were written, once they are sound; 400 names each fault. */
export const columnsOf = async (context: WriteContext, of: MaterialFields) => {
  const faults = materialFaults(of)
  faultless(context.staff, {
    ...faults,
    files: faults['files'] ?? (await pictureFault(context, of)),
    code_area: await areaFault(context.tx, of),
    mall_ids: await placesFault(context, of.mall_ids),
  })
  return {
    ...of,
    code_area: of.kind === 'poster' ? of.code_area : null,
    printed_cents: printedIn(`${of.title}\n${of.content}`),
  }
}

const goodsOf = async (tx: Db, id: number) => {
  const [found] = await tx.select().from(product).where(eq(product.id, id)).for('share')
  if (!found) throw missing()
  return found
}
/**
 * Refuses what may not be shown to sellers: a poster without the place of its code, what is over,
 * goods that are not on sale, and a printed price that is not the live one, unless that is
 * confirmed. Answers the live price that was confirmed (cents), or nothing.
 */
export const publishable = async (
  context: WriteContext,
  row: Omit<MaterialFields, 'title'> & Pick<Material, 'printed_cents' | 'confirmed_cents'>,
  confirmed: boolean,
): Promise<number | undefined> => {
  const { tx, now } = context
  if (row.kind === 'poster' && !row.code_area)
    throw ruled('no_code_area', [
      '海报没有二维码区域，请先编辑补上',
      'The poster has no place for the code: edit it first',
    ])
  if (row.end_at !== null && row.end_at <= now)
    throw ruled('ended', [
      '展示时间已结束，请先修改结束时间',
      'Its time is over: change its end first',
    ])
  if (row.product_id === null) return undefined
  const goods = await goodsOf(tx, row.product_id)
  if (goods.state !== 'on_sale')
    throw ruled('not_on_sale', [
      '商品未上架，素材不能发布；请先上架商品',
      'Its goods are not on sale: put them on sale first',
    ])
  if (!isOutdated(row, goods)) return undefined
  if (confirmed) return goods.price_cents
  const printed = otherPrices(row.printed_cents, goods).map(one => yuan(one))
  const fault: Text = [
    `文案中的价格 ${printed.join('、')} 元与售价 ${yuan(goods.price_cents)} 元不一致；请修改文案，或确认仍然发布`,
    `It prints ¥${printed.join(', ¥')}, the goods cost ¥${yuan(goods.price_cents)}: mend the text, or confirm`,
  ]
  throw ruled('price_differs', fault, {}, { fields: { confirm_price: fault } })
}

/** Why material goes off by itself, in both languages (`joined`). */
export const ends = {
  over: joined(['展示时间已结束', 'Its time is over']),
  unsold: joined(['商品已下架', 'Its goods are off sale']),
}
/** Takes off what is over, and what is for goods that are not on sale; answers how much. */
export const endMaterials = async (tx: Db, now: number): Promise<number> => {
  const gone = tx
    .select({ id: product.id })
    .from(product)
    .where(notInArray(product.state, ['on_sale']))
  const off = (reason: string, where: SQL | undefined) =>
    tx
      .update(t)
      .set({ status: 'off', reason, updated_at: now, version: sql`${t.version} + 1` })
      .where(and(eq(t.status, 'on'), where))
      .returning({ id: t.id })
  const ended = await off(ends.over, lte(t.end_at, now))
  const unsold = await off(ends.unsold, inArray(t.product_id, gone))
  return ended.length + unsold.length
}
/** `isOutdated`, as the database counts it. */
export const outdatedSql: SQL = sql`exists (select 1 from ${product} p where p.id = ${t.product_id} and p.price_cents is distinct from ${t.confirmed_cents} and exists (select 1 from unnest(${t.printed_cents}) x where x <> all (array[p.price_cents, p.list_price_cents, coalesce(p.group_price_cents, p.price_cents)])))`
/** What sellers of a mall get: its own, and what is for all; of mall 0 that alone. */
export const forMall = (mid: number): SQL =>
  mid === 0
    ? sql`${t.mall_ids} = '[]'::jsonb`
    : sql`(${t.mall_ids} @> ${`[${mid}]`}::jsonb or ${t.mall_ids} = '[]'::jsonb)`
