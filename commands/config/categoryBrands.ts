import { PINNED_MOST, WALL_MOST } from '#src/areas/brandWall/brandWall.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  categoryBrands as calls,
  tileRow,
  wallCandidate,
  type TileRow,
  type WallCandidate,
} from '#src/modules/config/contract/categoryBrands.ts'
import { action, ask, inAll } from '../command.ts'
import { categoryWalls } from '../pages/config.ts'
import { asking, idsOf, one, pageAction, rowActions } from '../record.ts'

/** What the page gives its actions of the wall in sight. */
export type WallGiven = {
  category_id: number
  city_id?: number
  wall: { id: number; version: number } | undefined
}
const wallOf = ({
  category_id,
  city_id,
}: {
  category_id: number
  city_id?: number | null | undefined
}) => ({
  category_id,
  ...(city_id && { city_id }),
})
const given = (rows: readonly unknown[]) => rows[0] as WallGiven
const row = rowActions(categoryWalls, tileRow)
const notHere: Text = ['请在中间选择墙上的品牌', 'Choose a brand of the wall']
/** Rows of the columns beside are no tiles. */
const isTile = (of: TileRow): true | Text => 'brand_id' in of || notHere
const pinnedIs = (wanted: boolean, not: Text) => (of: TileRow) => {
  const may = isTile(of)
  return may === true ? of.is_pinned === wanted || not : may
}
const PINNED_DAYS = 30

export const wallActions = {
  publish: pageAction(calls.publish, ['发布', 'Publish'], categoryWalls, {
    key: 'p',
    main: true,
    input: rows => given(rows).wall!,
    takenBack: 'form',
  }),
  add: action(calls.add, {
    title: '添加品牌',
    en: 'Add brands',
    key: 'a',
    main: true,
    at: categoryWalls,
    on: wallCandidate,
    most: WALL_MOST,
    tells: inAll,
    takenBack: 'opposite',
    when: (of: WallCandidate) =>
      'sold' in of || ['请在右侧选择品牌', 'Choose brands in the column beside'],
    input: (rows: readonly WallCandidate[]) => ({
      ...wallOf(rows[0]!),
      brand_ids: rows.map(({ id }) => id),
    }),
  }),
  remove: row.row(calls.remove, ['移除品牌', 'Remove brands'], {
    key: 'd',
    takes: 'rows',
    most: WALL_MOST,
    tells: inAll,
    when: isTile,
    input: idsOf,
  }),
  pin: row.row(calls.pin, ['置顶', 'Pin'], {
    key: 't',
    when: pinnedIs(false, ['已置顶', 'It is pinned']),
    asks: {
      until: ask.time({
        label: ['置顶至', 'Pinned until'],
        initial: () => unixNow() + PINNED_DAYS * DAY,
        hint: [`最多置顶 ${PINNED_MOST} 个`, `At most ${PINNED_MOST} are pinned`],
      }),
    },
    input: asking(({ until }) => ({ until: until! })),
  }),
  unpin: row.row(calls.unpin, ['取消置顶', 'Unpin'], {
    key: 'shift+t',
    when: pinnedIs(true, ['未置顶', 'It is not pinned']),
    input: one,
    takenBack: 'opposite',
  }),
  setPeriod: row.row(calls.setPeriod, ['设置展示时间', 'Set the time'], {
    key: 'e',
    takes: 'rows',
    most: WALL_MOST,
    tells: inAll,
    when: isTile,
    asks: {
      start_at: ask.time({
        label: ['开始', 'From'],
        optional: true,
        initial: rows => rows[0]?.start_at ?? undefined,
        hint: ['留空为立即', 'Empty: at once'],
      }),
      end_at: ask.time({
        label: ['结束', 'Until'],
        optional: true,
        initial: rows => rows[0]?.end_at ?? undefined,
        hint: ['留空为长期', 'Leave empty for no end date'],
        check: (end, { start_at }: { start_at?: number }) =>
          end !== undefined && start_at !== undefined && end <= start_at
            ? ['结束须晚于开始', 'Must be after the start']
            : undefined,
      }),
    },
    input: (rows, { start_at, end_at }) => ({
      ...idsOf(rows),
      ...(start_at !== undefined && { start_at }),
      ...(end_at !== undefined && { end_at }),
    }),
  }),
  autoFill: pageAction(calls.autoFill, ['按销量自动填充', 'Fill by sales'], categoryWalls, {
    key: 'f',
    asks: {
      count: ask.number({
        label: ['品牌总数', 'Brands in all'],
        min: 1,
        max: WALL_MOST,
        initial: () => 20,
        hint: [
          '保留置顶品牌，其余换成该分类销量最高的品牌',
          'Pinned ones stay; the others give way to the best sellers',
        ],
      }),
    },
    input: (rows, { count }) => ({ ...wallOf(given(rows)), count }),
  }),
  copyToCategories: pageAction(
    calls.copyToCategories,
    ['复制到分类', 'Copy to categories'],
    categoryWalls,
    {
      key: 'shift+c',
      asks: {
        category_ids: ask.entities({
          label: ['分类', 'Categories'],
          find: calls.categories,
          labelOf: ({ name }: { name: string }) => name,
          given: rows => (given(rows).city_id ? { city_id: given(rows).city_id } : {}),
          max: 50,
          hint: [
            '只添加在该分类有在售商品的品牌',
            'Only brands with something on sale in the category go there',
          ],
        }),
      },
      input: (rows, { category_ids }) => ({ ...wallOf(given(rows)), category_ids }),
    },
  ),
  preview: pageAction(
    'config.entry.categoryBrands.preview',
    ['手机预览', 'Preview'],
    categoryWalls,
    {
      key: 'v',
    },
  ),
  sort: pageAction(calls.sort, ['保存顺序', 'Save the order'], categoryWalls, { key: 's' }),
}
